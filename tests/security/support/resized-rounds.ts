/** Rounds of: a permission is raised, the terminal gets another size, another one is drawn, somebody answers the first. */
import { shippedAdapter } from "../../unit/worker/detection/screens.js";
import type { Below } from "./edited-screens.js";
import {
  breakWhereWrapped,
  drawPermission,
  editCommand,
  LOOKS,
  makeCommand,
  wrapCommand,
} from "./resized-screens.js";
import { ScreenSession } from "./screen-session.js";

export interface ToolTally {
  /** Second screens whose command is drawn in other rows than that of the card. */
  pairs: number;
  /** Those of them that the tool draws at the second size as it would draw the first command there. */
  wrappedAlike: number;
  /** Drawn anew at the second size, in the same rows: all of them were answered. */
  kept: number;
  /** Drawn anew at the second size, in other rows: each costs a card. */
  wrapped: number;
  readonly wrong: string[];
  readonly refused: string[];
  readonly unasked: string[];
}

const INSTANTS = ["at once", "behind the first at that size", "later", "at the gate"] as const;
type Instant = (typeof INSTANTS)[number];

const COLS_MIN = 60;
const COLS_MAX = 200;
const ROWS = [24, 40, 60] as const;
const CONTROL_EVERY = 6;
const CHOSEN_EVERY = 5;
const GAP_MAX_MS = 100;
/** Longer than a resize keeps a prompt from being withdrawn, and than the next one needs to be raised. */
const LATER_MS = 800;
const RAISED_WITHIN_MS = 3000;
const STEP_MS = 150;

type Size = { readonly cols: number; readonly rows: number };

function makeSize(below: Below): Size {
  return {
    cols: COLS_MIN + below(COLS_MAX - COLS_MIN + 1),
    rows: ROWS[below(ROWS.length)] ?? 40,
  };
}

function waitUntil(session: ScreenSession, isThere: () => boolean): void {
  for (let waited = 0; waited < RAISED_WITHIN_MS && !isThere(); waited += STEP_MS) session.wait(STEP_MS);
}

export async function runResizedRounds(rounds: number, below: Below): Promise<Map<string, ToolTally>> {
  const tallies = new Map<string, ToolTally>();
  for (let done = 0; done < rounds;) {
    const look = LOOKS[below(LOOKS.length)] ?? LOOKS[0];
    if (!look) throw new Error("there are no looks");
    const tally = tallies.get(look.adapter) ?? createTally();
    tallies.set(look.adapter, tally);
    const before = tally.pairs;
    await runRound(look, tally, below);
    done += tally.pairs - before;
  }
  return tallies;
}

function createTally(): ToolTally {
  return { pairs: 0, wrappedAlike: 0, kept: 0, wrapped: 0, wrong: [], refused: [], unasked: [] };
}

/** Whoever sets the size may choose one at which another command looks like the wrapped one. */
function changeCommand(command: string, look: (typeof LOOKS)[number], cols: number, below: Below): string {
  const chosen = below(CHOSEN_EVERY) === 0 ? breakWhereWrapped(command, look, cols, below) : null;
  return chosen ?? editCommand(command, below);
}

/** Blanks and empty rows behind a text cannot be seen. */
function showEnds(command: string): string {
  return command.replace(/ +$/gmu, "").trimEnd();
}

async function runRound(look: (typeof LOOKS)[number], tally: ToolTally, below: Below): Promise<void> {
  const [first, second] = [makeSize(below), makeSize(below)];
  if (first.cols === second.cols) return;
  const isControl = below(CONTROL_EVERY) === 0;
  const command = makeCommand(below);
  const other = isControl ? command : changeCommand(command, look, second.cols, below);
  const rows = wrapCommand(command, look, first.cols);
  const otherRows = wrapCommand(other, look, second.cols);
  const isAlike = rows.join("\n") === otherRows.join("\n");
  // What the card shows and what is drawn now are the same rows, or the same command to whoever sees them.
  if (!isControl && (isAlike || showEnds(command) === showEnds(other))) return;
  const session = new ScreenSession(shippedAdapter(look.adapter), first, false);
  await session.draw(drawPermission(look, rows, first.cols));
  waitUntil(session, () => session.pending !== null);
  const card = session.pending;
  if (card?.raised.safetyClass !== "permission") {
    session.dispose();
    // A command that is higher than the screen is not read as a permission.
    if (rows.length + 14 > first.rows) return;
    throw new Error(`nothing is asked: ${look.adapter} ${first.cols}\n${rows.join("\n")}`);
  }
  // At the gate the screen still shows what the resize has left of the first drawing: that gets no key.
  const instant = INSTANTS[below(INSTANTS.length - Number(isControl))] ?? "at once";
  const firstAgain = drawPermission(look, wrapCommand(command, look, second.cols), second.cols);
  const next = drawPermission(look, otherRows, second.cols);
  await answerAcross(
    session,
    { epoch: card.epoch, size: second, firstAgain, next, instant },
    below(GAP_MAX_MS),
  );
  const keys = session.written.join("");
  const told = `${look.adapter} ${first.cols}x${first.rows} → ${second.cols}x${second.rows} ${instant}: ${JSON.stringify([command, other])} ${JSON.stringify(keys)}`;
  if (isControl) {
    if (!isAlike) tally.wrapped++;
    else if (keys === "") tally.refused.push(told);
    else tally.kept++;
  } else {
    tally.pairs++;
    if (wrapCommand(command, look, second.cols).join("\n") === otherRows.join("\n")) tally.wrappedAlike++;
    if (keys !== "") tally.wrong.push(told);
    const now = session.detect();
    waitUntil(session, () => session.pending !== null && session.pending.epoch !== card.epoch);
    if (now !== null && session.pending?.epoch === card.epoch) tally.unasked.push(told);
  }
  session.dispose();
}

interface Swap {
  readonly epoch: number;
  readonly size: Size;
  readonly firstAgain: string;
  readonly next: string;
  readonly instant: Instant;
}

async function answerAcross(session: ScreenSession, swap: Swap, gapMs: number): Promise<void> {
  const { epoch, size, firstAgain, next, instant } = swap;
  const isAtGate = instant === "at the gate";
  session.resize(size);
  session.wait(gapMs);
  if (instant === "behind the first at that size") {
    await session.draw(firstAgain);
    session.wait(gapMs);
  }
  if (!isAtGate) await session.draw(next);
  if (instant === "later") session.wait(LATER_MS);
  // Whoever answers has the first card.
  if (session.pending?.epoch !== epoch) return;
  await session.answer("1", async () => {
    session.clock.advance(gapMs);
    if (isAtGate) await session.draw(next);
  });
  if (isAtGate) await session.draw(next);
}
