import { reasonOf } from "duello";
import { useLoaded } from "./use.ts";

export interface ErrorNoticeProps {
  readonly error: unknown;
  /** Called once the person has accepted a remedy. */
  readonly onFixed?: () => void;
}

/** Explains an error; the code for that is loaded at the first error. Shows nothing without an error. */
export function ErrorNotice({ error, onFixed }: ErrorNoticeProps) {
  const isShown = error !== undefined;
  const { value: loaded, error: missing } = useLoaded(isShown ? () => import("./explained.tsx") : undefined, [isShown]);
  if (!isShown) return null;
  if (loaded) return <loaded.Explained error={error} onFixed={onFixed} />;
  if (missing === undefined) return null;
  return (
    <p class="notice bad" role="alert">
      {reasonOf(error)}
    </p>
  );
}
