import type { ComponentChildren } from "preact";

/** Describes what is wrong, and what can be done. */
export function Problem({
  title,
  children,
  action,
}: {
  title: string;
  children?: ComponentChildren;
  action?: readonly [string, () => void];
}) {
  return (
    <section class="card stack problem" role="alert">
      <h1>{title}</h1>
      {children !== undefined && <p>{children}</p>}
      <div class="row">
        {action && (
          <button type="button" class="primary" onClick={action[1]}>
            {action[0]}
          </button>
        )}
        <a class="button" href="#/">
          To the lobby
        </a>
      </div>
    </section>
  );
}
