/** Rounds of: a prompt is raised, the screen shows another by then, somebody answers the first. Nothing may be typed. */
import { shippedAdapter } from "../../unit/worker/detection/screens.js";
import {
  drawBytes,
  editableRows,
  editRow,
  isVisiblyEqual,
  makeBase,
  type Base,
  type Below,
} from "./edited-screens.js";
import { ScreenSession } from "./screen-session.js";

export interface Tally {
  pairs: number;
  controls: number;
  /** Pairs that read alike to the rule: only the exact comparison tells them apart. */
  alike: number;
  readonly wrong: string[];
  readonly refused: string[];
  /** Edited screens for which no second card was raised although a rule reads them. */
  readonly unasked: string[];
}

const INSTANTS = ["before", "at the gate", "while it settles", "at the last look"] as const;
/** A dialog may be missing for so long while its tool draws it anew. */
const GAP_MAX_MS = 100;
const CONTROL_EVERY = 10;
/** What a prompt needs to be raised, and a replaced one to be followed by the next. */
const RAISED_WITHIN_MS = 1500;
const GONE_WITHIN_MS = 400;
const STEP_MS = 150;

function waitUntil(session: ScreenSession, isThere: () => boolean): void {
  for (let waited = 0; waited < RAISED_WITHIN_MS && !isThere(); waited += STEP_MS) session.wait(STEP_MS);
}

export async function runRounds(rounds: number, perBase: number, below: Below): Promise<Tally> {
  const tally: Tally = { pairs: 0, controls: 0, alike: 0, wrong: [], refused: [], unasked: [] };
  while (tally.pairs < rounds) {
    const base = makeBase(below);
    const session = new ScreenSession(shippedAdapter(base.adapter), base.size, base.cursorUp === null);
    for (let i = 0; i < perBase; i++) await runRound(base, session, tally, below);
    session.dispose();
  }
  return tally;
}

async function runRound(base: Base, session: ScreenSession, tally: Tally, below: Below): Promise<void> {
  await session.draw("\u001b[?1049l\u001b[2J\u001b[3J\u001b[H");
  session.wait(GONE_WITHIN_MS);
  await session.draw(drawBytes(base));
  waitUntil(session, () => session.pending !== null);
  const asked = session.pending?.candidate;
  if (!asked) throw new Error(`nothing is asked:\n${base.rows.join("\n")}`);
  const rows = editableRows(base, asked);
  const row = rows[below(rows.length)] ?? 0;
  const isControl = below(CONTROL_EVERY) === 0;
  const before = base.rows[row] ?? "";
  const after = isControl ? before : editRow(before, below);
  if (!isControl && isVisiblyEqual(before, after)) return;
  const edited = base.rows.map((text, index) => (index === row ? after : text));
  // A line that is written anew further down is another question, however equal.
  const isLine = base.cursorUp === null;
  const instant = isControl ? (isLine ? "never" : "before") : (INSTANTS[below(INSTANTS.length)] ?? "before");
  session.written.length = 0;
  session.log.length = 0;
  await answerAcross(session, drawBytes(base, edited), instant, below(GAP_MAX_MS));
  const keys = session.written.join("");
  const told = `${base.adapter} ${base.size.cols}x${base.size.rows} ${instant}: ${JSON.stringify([before, after])} ${JSON.stringify(keys)}`;
  if (isControl) {
    tally.controls++;
    if (keys === "") tally.refused.push(told);
    return;
  }
  tally.pairs++;
  if (keys !== "") tally.wrong.push(told);
  const now = session.detect();
  waitUntil(session, () => session.pending?.raised.fingerprint === now?.fingerprint);
  if (now?.content.text.replace(/\s/gu, "") === asked.content.text.replace(/\s/gu, "")) tally.alike++;
  if (now !== null && now.promptType !== "unknown" && session.pending.raised.fingerprint !== now.fingerprint)
    tally.unasked.push(told);
}

async function answerAcross(
  session: ScreenSession,
  next: string,
  instant: (typeof INSTANTS)[number] | "never",
  gapMs: number,
): Promise<void> {
  let isDrawn = false;
  const once = (): boolean => {
    if (isDrawn) return false;
    isDrawn = true;
    session.drawUnseen(next);
    return true;
  };
  session.meanwhile = () => undefined;
  session.news = () => false;
  if (instant === "before") {
    // Erased, missing for a moment, and there again.
    await session.draw("\u001b[2J");
    session.wait(gapMs);
    await session.draw(next);
  }
  await session.answer(session.pending?.candidate.promptType === "yes_no" ? "y" : "1", async () => {
    session.clock.advance(gapMs);
    if (instant === "at the gate") await session.draw(next);
    if (instant === "while it settles") session.meanwhile = () => void once();
    if (instant === "at the last look") session.news = once;
  });
  if (instant !== "before" && instant !== "never") await session.draw(next);
}
