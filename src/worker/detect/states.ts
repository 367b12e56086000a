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
  const drawn = drawnState(adapter, view, signals);
  return drawn ?? (signals.blockedOnRead === false ? "working" : null);
}

const DRAWN = ["working", "waiting", "idle"] as const;

/** Whether the screen itself shows a known state, whatever the tool says of itself. */
export function showsAnyState(adapter: CompiledAdapter, view: View, signals: Signals): boolean {
  return drawnState(adapter, view, signals) !== null;
}

/** Working wins: an input box is drawn while a tool works, too. */
function drawnState(adapter: CompiledAdapter, view: View, signals: Signals): ToolState | null {
  const rows = lowestRows(view);
  const line = waitingLine(pageOf(view), signals);
  const holds = (known: StatePattern): boolean =>
    (known.atCursor ? (line ? [line.text] : []) : rows.slice(0, known.rows)).some((row) =>
      matches(known.pattern, row),
    );
  return DRAWN.find((state) => adapter.states[state].some(holds)) ?? null;
}

/** Rows that are not blank, the lowest first. */
function lowestRows(view: View): string[] {
  return view.lines.flatMap(({ text }) => (isBlank(text) ? [] : [text])).reverse();
}
