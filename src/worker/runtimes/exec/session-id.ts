/**
 * Finds the id by which a session of a tool can be resumed, from what the tool wrote. There are three steps, and the first one
 * that finds an id wins (driver spec, "Session ID Recovery Chain"). Where several ids are named none is taken: resuming another
 * session is worse than a new one.
 */
import { toArray, getAtPath, isObject, toText, type Json } from "../../../model/data/json.js";
import { isSessionName } from "../protocol/session-name.js";

/** The driver spec's places in its order, then those of newer tools. */
const USUAL_PLACES = ["sessionId", "metadata.session_id", "session_id", "thread_id", "session.id"];

/** Does steps 1 and 2, event by event. `own`: places of the tool's own, which are checked first. */
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

  /** The id of the first place that named any. */
  get found(): string | null {
    const named = this.#found.find(({ ids }) => ids.size > 0);
    return named ? getOnly(named.ids) : null;
  }
}

/** Does the same for events that are all available. */
export function findSessionId(events: readonly Json[], own: readonly string[]): string | null {
  const finder = new SessionIdFinder(own);
  for (const event of events) finder.take(event);
  return finder.found;
}

/** Does step 3: reads the tool's list of sessions. Only a list of one names the session. */
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
