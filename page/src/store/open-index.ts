import { IndexClient, type PageDeployment } from "duello";

/** Milliseconds within which the index must answer; otherwise the events are used. */
const TIME_LIMIT = 8000;

/** Opens the index of a deployment, by its URL or its path relative to the page. */
export function openIndex(index: string, deployment: PageDeployment): Promise<IndexClient> {
  const url = URL.parse(index, location.href)?.href ?? index;
  return IndexClient.open(url, deployment, { timeLimit: TIME_LIMIT });
}
