/** Gives a tool its task, again and again where that is wanted, and keeps where the loop stands. */
import { once } from "node:events";
import { statSync } from "node:fs";
import type { Clock } from "../model/clock.js";
import { AtlasBridgeError } from "../model/errors.js";
import type { TurnReport } from "../worker/runtimes/exec/turn-summary.js";
import { earlyEnding } from "../worker/runtimes/protocol/turn-ending.js";
import {
  startTurn,
  NEW_LOOP,
  stopOf,
  finishTurn,
  waitMs,
  type LoopLimits,
  type LoopState,
  type LoopStop,
} from "./task-loop.js";
import type { Checkpoint } from "./checkpoint.js";

export interface DrivenTool {
  readonly ready: Promise<void>;
  readonly exited: Promise<unknown>;
  /** The tool's own name for its session. */
  readonly toolSession: string | null;
  prompt(text: string): Promise<TurnReport>;
}

export interface DriveOptions {
  readonly tool: DrivenTool;
  readonly prompt: string;
  readonly limits: LoopLimits;
  readonly untilFile: string | null;
  /** Where an earlier run stopped. */
  readonly from: Checkpoint | null;
  /** The tool's own session that it was started to go on with. */
  readonly session: string | null;
  readonly keep: (checkpoint: Checkpoint) => void;
  readonly clock: Clock;
  /** One line for people, between turns. */
  readonly note: (line: string) => void;
  readonly onTurn: (turn: Turn) => void;
}

export interface Turn extends TurnReport {
  readonly iteration: number;
  readonly session: string | null;
  /** US dollars of all turns so far, where the tool tells. */
  readonly totalUsd: number | null;
}

export interface DriveEnd {
  /** `done`: the file is there, or all turns that were wanted are done; `refused`: but the last was refused what nobody could be asked, or answered in time. */
  readonly why:
    "done" | "refused" | "failed" | "stopped" | "interrupted" | "cancelled" | "timed_out" | "incomplete";
  readonly stop: LoopStop | null;
  readonly problem: string | null;
  /** Turns that came to an end. */
  readonly iterations: number;
  /** The turn in which it was broken off; 0: while the tool started; null: in none. */
  readonly brokenTurn: number | null;
  /** As the tool named it in this run, where it began a turn; what it was only started to go on with is no proof. */
  readonly session: string | null;
  readonly totalUsd: number | null;
}

/** Where the file is there before the tool was started. */
export const NOTHING_DONE: DriveEnd = {
  why: "done",
  stop: null,
  problem: null,
  iterations: 0,
  brokenTurn: null,
  session: null,
  totalUsd: null,
};

/** Why `halt` was aborted, where that is no signal: its time was over, or a person far away stopped it. */
export const TIMED_OUT = "timed_out";
export const CANCELLED = "cancelled";

/** Errors: those of `tool.ready`, unless it was halted before. */
export async function drive(options: DriveOptions, halt: AbortSignal): Promise<DriveEnd> {
  const { tool, prompt, limits, untilFile, from, keep, clock, note, onTurn } = options;
  let brokenTurn: number | null = 0;
  let state: LoopState = from?.loop ?? NEW_LOOP;
  let last: TurnReport | null = null;
  // A turn that was broken off tells no cost; what those before it cost is known.
  let spentHere: number | null = null;
  const spentBefore = from?.costUsd ?? null;
  const checkpoint = (status: Checkpoint["status"]): Checkpoint => ({
    status,
    session: tool.toolSession ?? options.session,
    costUsd: spent(spentBefore, spentHere),
    loop: state,
  });
  const end = (
    why: DriveEnd["why"],
    stop: LoopStop | null = null,
    problem = last?.problem ?? null,
  ): DriveEnd => {
    const isBroken = why === "failed" || isHaltedBy(why);
    const kept = checkpoint(isBroken ? "interrupted" : "stopped");
    // Of a loop that is done nothing is kept: a disk that is full takes nothing from what it has done.
    if (why !== "done") keep(kept);
    const session = isTurnSeen(brokenTurn, last) ? tool.toolSession : null;
    return { why, stop, problem, iterations: state.iteration, brokenTurn, session, totalUsd: kept.costUsd };
  };
  const halted = (): DriveEnd => end(isHaltedBy(halt.reason) ? halt.reason : "interrupted", null, null);
  if (!(await isReady(tool, halt))) return halted();
  for (;;) {
    brokenTurn = null;
    if (untilFile !== null && isFile(untilFile)) return end("done");
    const stop = stopOf(state, limits);
    if (stop === "iterations") return end(ending(untilFile, last), untilFile === null ? null : stop);
    if (stop !== null) return end("stopped", stop);
    const waited = await untilHourHasRoom(state, options, halt);
    if (waited === "halted") return halted();
    if (waited === "exited") return end("failed", null, "the tool ended before its next turn");
    state = startTurn(state, clock.now());
    keep(checkpoint("running"));
    brokenTurn = state.iteration + 1;
    if (limits.iterations > 1) note(`turn ${brokenTurn} of ${limits.iterations}`);
    last = judged(await tool.prompt(prompt));
    spentHere = last.costUsd ?? spentHere;
    if (halt.aborted) return halted();
    brokenTurn = null;
    state = finishTurn(state, last);
    const { session, costUsd: totalUsd } = checkpoint("running");
    onTurn({ ...last, iteration: state.iteration, session, totalUsd });
    if (last.stopReason !== null || last.problem === null) continue;
    return end(untilFile !== null && isFile(untilFile) ? "done" : "failed");
  }
}

/** A turn that was cancelled or cut off has not done its task, though the tool names no error. What was refused says more. */
function judged(turn: TurnReport): TurnReport {
  if (turn.refused > 0) return turn;
  return { ...turn, problem: turn.problem ?? earlyEnding(turn.stopReason) };
}

/**
 * Whether the tool began a turn: only then is the session that it named one that can be gone on with. A turn that only failed shows
 * nothing of it.
 */
function isTurnSeen(brokenTurn: number | null, last: TurnReport | null): boolean {
  if (brokenTurn !== null) return brokenTurn > 0;
  if (last === null) return false;
  return last.stopReason !== null || last.words !== "" || last.callsDone > 0;
}

function isHaltedBy(why: unknown): why is "interrupted" | typeof TIMED_OUT | typeof CANCELLED {
  return why === "interrupted" || why === TIMED_OUT || why === CANCELLED;
}

/** False where it was halted first: what is wrong with a tool that is ended then is no news. */
async function isReady({ ready }: DrivenTool, halt: AbortSignal): Promise<boolean> {
  const isHalted = (): boolean => halt.aborted;
  if (isHalted()) return false;
  try {
    await Promise.race([ready, once(halt, "abort")]);
  } catch (error) {
    if (!isHalted()) throw error;
  }
  return !isHalted();
}

function ending(untilFile: string | null, last: TurnReport | null): DriveEnd["why"] {
  if (untilFile !== null) return "incomplete";
  if (last?.problem !== null) return "failed";
  return last.refused > 0 ? "refused" : "done";
}

function spent(before: number | null, here: number | null): number | null {
  return before === null ? here : before + (here ?? 0);
}

/** Waits until the hour allows another turn, unless nothing can be done with it any more. */
async function untilHourHasRoom(
  state: LoopState,
  { limits, clock, note, tool }: DriveOptions,
  halt: AbortSignal,
): Promise<"room" | "halted" | "exited"> {
  const ms = waitMs(state, limits, clock.now());
  if (halt.aborted) return "halted";
  if (ms <= 0) return "room";
  note(`${limits.perHour} turns within an hour: the next begins in ${Math.ceil(ms / 60_000)} min`);
  let stopTimer = (): void => undefined;
  const room = new Promise<"room">((resolve) => {
    stopTimer = clock.after(ms, () => resolve("room"));
  });
  const halted = once(halt, "abort").then(() => "halted" as const);
  const exited = tool.exited.then(() => "exited" as const);
  return Promise.race([room, halted, exited]).finally(stopTimer);
}

/** A folder of that name is no sign that the work is done. Errors: ATB_USAGE where nobody can say whether a file is there. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw new AtlasBridgeError("ATB_USAGE", `cannot check whether ${path} exists (${why})`, {
      hint: "Check the path, and that you may enter its folder.",
      cause,
    });
  }
}
