/** Sessions come back one by one to a hub that has just started; until then a call for one of them waits. */
import type { Clock } from "../../model/clock.js";
import type { WorkerLink } from "../../wire/connection-ends.js";

/** A session comes back to the next hub within a second, on a busy machine within this time. */
export const RETURN_LIMIT_MS = 5_000;
const RETURN_POLL_MS = 50;

export type AwaitLink = (sessionId: string) => Promise<WorkerLink | null>;

/** Call when the hub starts. The result waits only within that time; later it gives what there is. Calls for a session keep their order. */
export function createLinkWait(
  clock: Pick<Clock, "monotonic" | "after">,
  findLink: (sessionId: string) => WorkerLink | null,
): AwaitLink {
  const until = clock.monotonic() + RETURN_LIMIT_MS;
  const look = async (sessionId: string): Promise<WorkerLink | null> => {
    for (;;) {
      const link = findLink(sessionId);
      if (link !== null || clock.monotonic() >= until) return link;
      await new Promise<void>((resolve) => void clock.after(RETURN_POLL_MS, resolve));
    }
  };
  const looks = new Map<string, Promise<WorkerLink | null>>();
  return (sessionId) => {
    const found = looks.get(sessionId) ?? look(sessionId).finally(() => looks.delete(sessionId));
    looks.set(sessionId, found);
    return found;
  };
}
