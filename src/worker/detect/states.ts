/** What the tool does when it asks nothing: declared by it, or read from the lowest rows. */
import type { ToolState } from "../../model/tool-state.js";
import type { Signals, View } from "../../sdk/view.js";
import type { CompiledAdapter, StatePattern } from "./compiled.js";
import { isBlank } from "./layout.js";
import { matches } from "./pattern.js";

/** Working wins: an input box is drawn while a tool works, too. */
export function stateOf(adapter: CompiledAdapter, view: View, signals: Signals): ToolState | null {
  const declared = adapter.signals.programStatus ? signals.declared?.state : undefined;
  if (declared === "working") return "working";
  if (declared === "idle" || declared === "done" || declared === "error") return "idle";
  const rows = lowestRows(view);
  if (adapter.states.working.some((state) => holds(state, rows))) return "working";
  if (adapter.states.idle.some((state) => holds(state, rows))) return "idle";
  return null;
}

function holds({ pattern, rows: count }: StatePattern, rows: readonly string[]): boolean {
  return rows.slice(0, count).some((row) => matches(pattern, row));
}

/** Rows that are not blank, the lowest first. */
function lowestRows(view: View): string[] {
  return view.lines.flatMap(({ text }) => (isBlank(text) ? [] : [text])).reverse();
}
