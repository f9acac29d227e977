import type { ComponentChildren } from "preact";

/** Describes a problem, and a remedy. */
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
