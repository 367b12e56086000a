/** What the tool does when it asks nothing: declared by it, or read from the lowest rows. */
import type { ToolState } from "../../model/tool-state.js";
import type { Signals, View } from "../../sdk/view.js";
import type { CompiledAdapter, StatePattern } from "./compiled.js";
import { isBlank, pageOf } from "./layout.js";
import { matches } from "./pattern.js";
import { waitingLine } from "./shapes/waiting-line.js";

/** What the tool says of itself outranks what its screen looks like. */
export function stateOf(adapter: CompiledAdapter, view: View, signals: Signals): ToolState | null {
  const declared = signals.declared?.state;
  if (declared === "working") return "working";
  if (declared === "blocked") return "waiting";
  if (declared === "idle" || declared === "done" || declared === "error") return "idle";
  // Working wins: an input box is drawn while a tool works, too.
  const drawn = (["working", "waiting", "idle"] as const).find((each) => shows(adapter, each, view, signals));
  return drawn ?? (signals.blockedOnRead === false ? "working" : null);
}

/** Whether a pattern of this state stands where it has to. */
export function shows(
  adapter: CompiledAdapter,
  state: keyof CompiledAdapter["states"],
  view: View,
  signals: Signals,
): boolean {
  const rows = lowestRows(view);
  const line = waitingLine(pageOf(view), signals);
  const holds = (known: StatePattern): boolean =>
    (known.atCursor ? (line ? [line.text] : []) : rows.slice(0, known.rows)).some((row) =>
      matches(known.pattern, row),
    );
  return adapter.states[state].some(holds);
}

/** Rows that are not blank, the lowest first. */
function lowestRows(view: View): string[] {
  return view.lines.flatMap(({ text }) => (isBlank(text) ? [] : [text])).reverse();
}
