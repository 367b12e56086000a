/**
 * A dialog that does not fit is drawn, measured and drawn again, up to three times. The first frames lack rows without saying so,
 * for up to 252 ms.
 */
import type { AdapterCode } from "../src/sdk/adapter-code.js";
import type { Candidate } from "../src/sdk/candidate.js";
import type { View } from "../src/sdk/view.js";

const LAYOUT_MS = 300;
/** Rows are left out though there is room for them: it has not measured yet, however long that takes it. */
const UNMEASURED_MS = 1000;

/** A dialog that leaves at most so many rows of the screen is as high as it may be. */
const FREE_ROWS = 5;
const ANY_HEIGHT = Infinity;

interface PanelLayout {
  readonly freeRows: number;
  /** A row that is drawn only once all is measured. */
  readonly measured?: RegExp;
  /** A list that is longer than its place shows so many rows of it once it has the room. */
  readonly listRows?: number;
}

const LAYOUTS: ReadonlyMap<string, PanelLayout> = new Map<string, PanelLayout>([
  // For a plan the number of omitted rows appears only after measuring; for code it is first a guess.
  ["plan", { freeRows: FREE_ROWS, measured: /^\.\.\. [0-9]{1,6} hidden /u }],
  // What its tool is called with comes, folded, in a second step, however much room there is.
  ["mcp_tool", { freeRows: ANY_HEIGHT, measured: /^MCP Tool Details:/u }],
  // The addresses come last: without them the first frame may be cut anywhere. A single address appears once only.
  ["fetch", { freeRows: ANY_HEIGHT, measured: /^URLs to fetch:/u }],
  ["permission", { freeRows: FREE_ROWS }],
  ["question", { freeRows: FREE_ROWS, listRows: 3 }],
  ["check_list", { freeRows: FREE_ROWS, listRows: 3 }],
]);

export const gemini: AdapterCode = {
  agentRequests: { isPlan: (title) => title.startsWith("Requesting plan approval for: ") },
  computeLayoutMs: ({ candidate, view, isCorrected }) => {
    const { rule, content, hasAllRows } = candidate;
    const lacksRows = content.cut !== null && !hasAllRows;
    const layout = LAYOUTS.get(rule);
    if (!layout) return rule === "trust" && lacksRows ? LAYOUT_MS : 0;
    if (isMeasured(layout, candidate, view)) return 0;
    // A frame that was counted twice is complete.
    if (measureHeight(candidate) >= view.lines.length - layout.freeRows)
      return isCorrected && content.cut?.missing !== undefined ? 0 : LAYOUT_MS;
    if (lacksRows) return UNMEASURED_MS;
    // What a tool of which no rule knows more is called with may come in a second step, as that of MCP does.
    return rule === "permission" && content.cut !== null ? LAYOUT_MS : 0;
  },
};

function isMeasured({ measured, listRows }: PanelLayout, candidate: Candidate, view: View): boolean {
  const { top, bottom } = candidate.region;
  const rows = view.lines.slice(top, bottom + 1).map(({ text }) => text.replace(SIDES, ""));
  if (measured !== undefined && rows.some((text) => measured.test(text))) return true;
  return listRows !== undefined && candidate.torn !== undefined && countVisibleRows(candidate) >= listRows;
}

/** Box edges on both sides of a row. */
const SIDES = /^[\s│┃║|]{1,16}/u;

/** The choice for all rows out of view has the index of the last visible one. */
function countVisibleRows({ choices }: Candidate): number {
  return new Set(choices.map(({ firstRow }) => firstRow)).size;
}

function measureHeight({ region }: Candidate): number {
  return region.bottom - region.top + 1;
}
