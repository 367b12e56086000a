/** What the tool does when it asks nothing: declared by it, or read from the lowest rows. */
import type { ToolState } from "../../model/tool-state.js";
import type { Signals, View } from "../../sdk/view.js";
import type { CompiledAdapter, StatePattern } from "../adapter-format/compiled/compiled.js";
import { findComposer } from "./composer.js";
import { isBlank, pageOf } from "./layout/layout.js";
import { matches } from "../adapter-format/pattern.js";
import { findWaitingLine } from "./shapes/waiting-line.js";

/** What the tool says of itself outranks what its screen looks like. */
export function stateOf(adapter: CompiledAdapter, view: View, signals: Signals): ToolState | null {
  const declared = signals.declared?.state;
  if (declared === "working") return "working";
  if (declared === "blocked") return "waiting";
  if (declared === "idle" || declared === "done" || declared === "error") return "idle";
  if (view.unfollowed) return null;
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
  const line = findWaitingLine(pageOf(view), signals);
  const holds = ({ pattern, at, rows: count }: StatePattern): boolean => {
    const where = {
      cursor: () => (line ? [line.text] : []),
      composer: () => firstRowOfComposer(adapter, view),
    };
    return (at === null ? rows.slice(0, count) : where[at]()).some((row) => matches(pattern, row));
  };
  return DRAWN.find((state) => adapter.states[state].some(holds)) ?? null;
}

/** A box in which the cursor is not to be seen takes no input: the rows of a dialog may begin with the same mark. */
function firstRowOfComposer({ composer }: CompiledAdapter, view: View): string[] {
  const box = findComposer({ composer }, view);
  const { x, y, visible } = view.cursor;
  if (box === null || !visible || x === 0 || y < box.region.top || y > box.region.bottom) return [];
  return [view.lines[box.region.top]?.text ?? ""];
}

/** Rows that are not blank, the lowest first. */
function lowestRows(view: View): string[] {
  return view.lines.flatMap(({ text }) => (isBlank(text) ? [] : [text])).reverse();
}
