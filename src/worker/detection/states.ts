/** The state of a tool without a prompt: declared by the tool, or read from the lowest rows. */
import type { ToolState } from "../../model/tool-state.js";
import type { Signals, View } from "../../sdk/view.js";
import type { CompiledAdapter, StatePattern } from "../adapter-format/compiled/compiled.js";
import { findComposer } from "./composer.js";
import { isBlank, toPage } from "./layout/layout.js";
import { matches } from "../adapter-format/pattern.js";
import { findWaitingLine } from "./shapes/waiting-line.js";

/** A declared state outranks the screen. */
export function detectState(adapter: CompiledAdapter, view: View, signals: Signals): ToolState | null {
  const declared = signals.declared?.state;
  if (declared === "working") return "working";
  if (declared === "blocked") return "waiting";
  if (declared === "idle" || declared === "done" || declared === "error") return "idle";
  if (view.unfollowed) return null;
  const drawn = readState(adapter, view, signals);
  return drawn ?? (signals.blockedOnRead === false ? "working" : null);
}

const DRAWN = ["working", "waiting", "idle"] as const;

/** Whether the screen itself shows a known state, whatever the tool declares. */
export function showsAnyState(adapter: CompiledAdapter, view: View, signals: Signals): boolean {
  return readState(adapter, view, signals) !== null;
}

/** `working` wins, because tools draw their input box while they work, too. */
function readState(adapter: CompiledAdapter, view: View, signals: Signals): ToolState | null {
  const rows = listLowestRows(view);
  const line = findWaitingLine(toPage(view), signals);
  const holds = ({ pattern, at, rows: count }: StatePattern): boolean => {
    const where = {
      cursor: () => (line ? [line.text] : []),
      composer: () => readFirstComposerRow(adapter, view),
    };
    return (at === null ? rows.slice(0, count) : where[at]()).some((row) => matches(pattern, row));
  };
  return DRAWN.find((state) => adapter.states[state].some(holds)) ?? null;
}

/** Without a visible cursor in it the box takes no input: it may be a row of a dialog that begins with the same mark. */
function readFirstComposerRow({ composer }: CompiledAdapter, view: View): string[] {
  const box = findComposer({ composer }, view);
  const { x, y, visible } = view.cursor;
  if (box === null || !visible || x === 0 || y < box.region.top || y > box.region.bottom) return [];
  return [view.lines[box.region.top]?.text ?? ""];
}

function listLowestRows(view: View): string[] {
  return view.lines.flatMap(({ text }) => (isBlank(text) ? [] : [text])).reverse();
}
