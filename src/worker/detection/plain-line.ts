/**
 * A program that an agent runs, or that starts the agent, may ask on a plain line: `Proceed? [Y/n] `. No rule of the agent's own
 * file knows such questions, so the generic ones are tried if the cursor is behind the last text of the screen.
 */
import type { ToolState } from "../../model/tool-state.js";
import type { Signals } from "../../sdk/view.js";
import type { CompiledAdapter, CompiledRule } from "../adapter-format/compiled/compiled.js";
import type { Detection } from "./detection.js";
import type { Page } from "./layout/layout.js";
import { isNoMatch, type NoMatch } from "./layout/no-match.js";
import { isLineShape } from "./shapes/line-shape.js";
import { findWaitingLine } from "./shapes/waiting-line.js";
import { computeStableMs } from "./stable-ms.js";
import type { Candidate } from "../../sdk/candidate.js";

/** Weaker wording (`Name: `) may be the end of an answer that is being written; a program that provably reads a line ends that doubt. */
const STRONG_SCORE = 0.88;

export function detectPlainLine(
  { plain }: CompiledAdapter,
  page: Page,
  signals: Signals,
  state: ToolState | null,
  match: (rule: CompiledRule) => Candidate | NoMatch,
): Detection | null {
  if (plain === undefined || !page.cursor.visible || page.view.modes.alternateScreen) return null;
  // An agent reads single keys itself, so what reads a line is another program, whatever the agent has left on the screen.
  const isProven = signals.canonical === true && signals.blockedOnRead === true;
  if (state !== null && !isProven) return null;
  if (signals.foreground !== undefined && plain.passivePrograms.includes(signals.foreground)) return null;
  if (findWaitingLine(page, signals)?.row !== page.cursor.row) return null;
  for (const rule of plain.rules) {
    if (!isLineShape(rule) || rule.programs.length > 0) continue;
    if (!isProven && rule.score < STRONG_SCORE) continue;
    const found = match(rule);
    if (!isNoMatch(found))
      return { candidate: found, state: "waiting", stableMs: computeStableMs(rule, signals, 0) };
  }
  return null;
}
