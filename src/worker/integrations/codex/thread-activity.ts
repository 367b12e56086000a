/** Maps what the server says of a thread, and the tool of itself on its terminal, to one state. Pure. */
import type { Signals } from "../../../sdk/view.js";
import { toArray, toText, type Json } from "../../../model/data/json.js";
import type { ThreadActivity, Origin } from "./thread-finder.js";

/** Null: it is not loaded. */
export function readThreadActivity({ type, activeFlags }: Json): ThreadActivity | null {
  if (type === "notLoaded") return null;
  if (type !== "active") return "idle";
  return toArray(activeFlags).length > 0 ? "waiting" : "working";
}

export function toThreadActivity(state: NonNullable<Signals["declared"]>["state"]): ThreadActivity {
  if (state === "blocked") return "waiting";
  return state === "working" ? "working" : "idle";
}

/** Null: a change of its state does not tell it. `folder`: the tool's. */
export function readOrigin({ cwd, parentThreadId }: Json, folder: string): Origin | null {
  const place = toText(cwd);
  if (place === null) return null;
  return { parent: toText(parentThreadId), isElsewhere: place !== folder };
}
