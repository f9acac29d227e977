import { oneLine } from "./text.ts";
import { deployments, fault } from "../store/deployments.ts";
import { chain } from "../store/current.ts";

/** Describes problems of the connection to the chain. */
export function ConnectionNotice() {
  const current = chain.value;
  if (!current) {
    if (deployments.value?.length !== 0) return null;
    return (
      <p class="notice banner" role="status">
        {fault.value === undefined
          ? "This page knows no chain: you can practice, and look at replays that come in a link."
          : `The list of chains beside this page could not be read: ${oneLine(fault.value, 200)} You can practice.`}
      </p>
    );
  }
  const connection = current.connection.value;
  const name = current.deployment.name ?? `chain ${current.deployment.chainId}`;
  return (
    <>
      {current.isRestarted.value && (
        <p class="notice banner row" role="status">
          <span class="grow">
            {name} was restarted: what was there before is gone. If your wallet refuses transactions, clear its activity
            for this network in its settings.
          </span>
          <button type="button" class="quiet" onClick={() => (current.isRestarted.value = false)}>
            Understood
          </button>
        </p>
      )}
      {connection.state === "trouble" && (
        <p class="notice banner" role="status">
          The node of {name} does not answer as it should. It is asked again by itself.{" "}
          <span class="muted">({oneLine(connection.reason, 200)})</span>
        </p>
      )}
      {connection.state === "reading" && connection.wanted > 1 && (
        <p class="notice banner good" role="status">
          Reading {name}: {Math.floor((100 * connection.read) / connection.wanted)} %
        </p>
      )}
      {current.undone.value.length > 0 && (
        <p class="notice banner" role="status">
          The chain has undone its last blocks, and {current.undone.value.length} events with them. What you see is what
          it has now.
        </p>
      )}
    </>
  );
}
