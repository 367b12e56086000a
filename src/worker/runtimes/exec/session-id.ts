/**
 * The id by which a session of a tool can be gone on with, from what it wrote: three steps, the first that finds one wins (driver
 * spec, "Session ID Recovery Chain"). Where several are named none is taken: going on with somebody else's session is worse than a
 * new one.
 */
import { toArray, getAtPath, isObject, toText, type Json } from "../../../model/data/json.js";
import { isSessionName } from "../protocol/session-name.js";

/** The driver spec's, in its order; then what tools call it that came later. */
const USUAL_PLACES = ["sessionId", "metadata.session_id", "session_id", "thread_id", "session.id"];

/** Steps 1 and 2, event by event. `own`: places of the tool's own, looked at first. */
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

  /** Of the first place that named any. */
  get found(): string | null {
    const named = this.#found.find(({ ids }) => ids.size > 0);
    return named ? onlyOne(named.ids) : null;
  }
}

/** The same for events that are all there. */
export function sessionIdIn(events: readonly Json[], own: readonly string[]): string | null {
  const finder = new SessionIdFinder(own);
  for (const event of events) finder.take(event);
  return finder.found;
}

/** Step 3: what the tool lists of its sessions. Only a list of one says which. */
export function sessionIdListed(output: string, path: string): string | null {
  let listed: unknown;
  try {
    listed = JSON.parse(output);
  } catch {
    return null;
  }
  const ids = toArray(listed)
    .filter(isObject)
    .map((session) => toText(getAtPath(path, session)));
  return ids.length === 1 ? onlyOne(new Set(ids.filter(isId))) : null;
}

function isId(text: string | null): text is string {
  return text !== null && isSessionName(text);
}

function onlyOne(found: ReadonlySet<string>): string | null {
  const [id = null] = found;
  return found.size === 1 ? id : null;
}
