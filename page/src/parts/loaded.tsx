import type { ComponentType } from "preact";
import { Problem } from "./problem.tsx";
import { useLoaded } from "./use.ts";

/** Loads the file of a component that few visitors need. */
export type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/** A component whose file is loaded when first shown; its key must change with the loader. */
export function Loaded<P extends object>({ load, props }: { load: Load<P>; props: P }) {
  const { value, error } = useLoaded(load, []);
  if (error !== undefined) {
    return (
      <Problem title="This part of the page could not be loaded" action={["Load again", () => location.reload()]}>
        The site does not answer, or has a newer version.
      </Problem>
    );
  }
  const Part = value?.default;
  return Part ? <Part {...props} /> : <p class="muted loading">Loading …</p>;
}
