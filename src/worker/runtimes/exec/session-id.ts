/**
 * Finds the id for resuming a session in the output of its tool. The first of three steps that finds an id wins (driver spec, "Session ID
 * Recovery Chain"). Of several ids none is used, because resuming another session is worse than a new one.
 */
import { toArray, getAtPath, isObject, toText, type Json } from "../../../model/data/json.js";
import { isSessionName } from "../protocol/session-name.js";

/** The driver spec's places in its order, then those of newer tools. */
const USUAL_PLACES = ["sessionId", "metadata.session_id", "session_id", "thread_id", "session.id"];

/** Steps 1 and 2, event by event. `own`: places of this tool, which are checked first. */
export class SessionIdFinder {
  readonly #found: readonly { readonly path: string; readonly ids: Set<string> }[];

  constructor(own: readonly string[]) {
    this.#found = [...own, ...USUAL_PLACES].map((path) => ({ path, ids: new Set() }));
  }

  take(event: Json): void {
    for (const { path, ids } of this.#found) {
      const id = toText(getAtPath(path, event));
      if (isId(id)) ids.add(id);
    }
  }

  get found(): string | null {
    const named = this.#found.find(({ ids }) => ids.size > 0);
    return named ? getOnly(named.ids) : null;
  }
}

export function findSessionId(events: readonly Json[], own: readonly string[]): string | null {
  const finder = new SessionIdFinder(own);
  for (const event of events) finder.take(event);
  return finder.found;
}

/** Step 3: reads the tool's list of sessions, which must contain only one. */
export function findListedSessionId(output: string, path: string): string | null {
  let listed: unknown;
  try {
    listed = JSON.parse(output);
  } catch {
    return null;
  }
  const ids = toArray(listed)
    .filter(isObject)
    .map((session) => toText(getAtPath(path, session)));
  return ids.length === 1 ? getOnly(new Set(ids.filter(isId))) : null;
}

function isId(text: string | null): text is string {
  return text !== null && isSessionName(text);
}

function getOnly(found: ReadonlySet<string>): string | null {
  const [id = null] = found;
  return found.size === 1 ? id : null;
}
