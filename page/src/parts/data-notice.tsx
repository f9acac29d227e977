import { newerData } from "../store/database.ts";
import { linkTo } from "../router.ts";

/** Explains why this page does not use data that a newer version of the page has stored in the browser. */
export function DataNotice() {
  if (newerData.value === undefined) return null;
  return (
    <p class="notice bad banner" role="alert">
      {newerData.value}. Load the page again to get the newer version, or forget everything in the{" "}
      <a href={linkTo("settings")}>settings</a>.
    </p>
  );
}
