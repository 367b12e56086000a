/** What the tool does when it asks nothing: declared by it, or read from the lowest rows. */
import type { ToolState } from "../../model/tool-state.js";
import type { Signals, View } from "../../sdk/view.js";
import type { CompiledAdapter, StatePattern } from "./compiled.js";
import { isBlank, pageOf } from "./layout.js";
import { matches } from "./pattern.js";
import { waitingLine } from "./shapes/waiting-line.js";

/** Working wins: an input box is drawn while a tool works, too. */
export function stateOf(adapter: CompiledAdapter, view: View, signals: Signals): ToolState | null {
  const declared = signals.declared?.state;
  if (declared === "working") return "working";
  if (declared === "idle" || declared === "done" || declared === "error") return "idle";
  const rows = lowestRows(view);
  const line = waitingLine(pageOf(view), signals);
  const holds = (state: StatePattern): boolean =>
    (state.atCursor ? (line ? [line.text] : []) : rows.slice(0, state.rows)).some((row) =>
      matches(state.pattern, row),
    );
  for (const state of ["working", "waiting", "idle"] as const) {
    if (adapter.states[state].some(holds)) return state;
  }
  return signals.blockedOnRead === false ? "working" : null;
}

/** Rows that are not blank, the lowest first. */
function lowestRows(view: View): string[] {
  return view.lines.flatMap(({ text }) => (isBlank(text) ? [] : [text])).reverse();
}
