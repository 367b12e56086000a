/** Gives a tool its task, repeatedly if wanted, and saves the loop's state. */
import { once } from "node:events";
import { statSync } from "node:fs";
import type { Clock } from "../model/clock.js";
import { AtlasBridgeError } from "../model/errors.js";
import type { TurnReport } from "../worker/runtimes/exec/turn-summary.js";
import { describeEarlyEnd } from "../worker/runtimes/protocol/turn-ending.js";
import {
  startTurn,
  NEW_LOOP,
  findStop,
  finishTurn,
  computeWaitMs,
  type LoopLimits,
  type LoopState,
  type LoopStop,
} from "./task-loop.js";
import type { Checkpoint } from "./checkpoint.js";

export interface LoopTool {
  readonly ready: Promise<void>;
  readonly exited: Promise<unknown>;
  readonly toolSession: string | null;
  prompt(text: string): Promise<TurnReport>;
}

export interface LoopOptions {
  readonly tool: LoopTool;
  readonly prompt: string;
  readonly limits: LoopLimits;
  readonly untilFile: string | null;
  readonly from: Checkpoint | null;
  readonly session: string | null;
  readonly keep: (checkpoint: Checkpoint) => void;
  readonly clock: Clock;
  readonly note: (line: string) => void;
  readonly onTurn: (turn: Turn) => void;
}

export interface Turn extends TurnReport {
  readonly iteration: number;
  readonly session: string | null;
  /** US dollars; null: the tool reports no costs. */
  readonly totalUsd: number | null;
}

export interface LoopEnd {
  /** `refused`: all turns are done, but nobody answered a request of the last one in time. */
  readonly why:
    "done" | "refused" | "failed" | "stopped" | "interrupted" | "cancelled" | "timed_out" | "incomplete";
  readonly stop: LoopStop | null;
  readonly problem: string | null;
  readonly iterations: number;
  /** 0: it was interrupted while the tool started; null: not in a turn. */
  readonly brokenTurn: number | null;
  /** As the tool reported it in this run. The id that it was only started to resume proves nothing. */
  readonly session: string | null;
  readonly totalUsd: number | null;
}

export const NOTHING_DONE: LoopEnd = {
  why: "done",
  stop: null,
  problem: null,
  iterations: 0,
  brokenTurn: null,
  session: null,
  totalUsd: null,
};

/** Reasons of `halt`: the timeout, or a person who stopped it remotely. */
export const TIMED_OUT = "timed_out";
export const CANCELLED = "cancelled";

/** Errors: those of `tool.ready`, unless it was halted before. */
export async function runLoop(options: LoopOptions, halt: AbortSignal): Promise<LoopEnd> {
  const { tool, prompt, limits, untilFile, from, keep, clock, note, onTurn } = options;
  let brokenTurn: number | null = 0;
  let state: LoopState = from?.loop ?? NEW_LOOP;
  let last: TurnReport | null = null;
  // The cost of an interrupted turn is unknown.
  let spentHere: number | null = null;
  const spentBefore = from?.costUsd ?? null;
  const checkpoint = (status: Checkpoint["status"]): Checkpoint => ({
    status,
    session: tool.toolSession ?? options.session,
    costUsd: sumCosts(spentBefore, spentHere),
    loop: state,
  });
  const end = (
    why: LoopEnd["why"],
    stop: LoopStop | null = null,
    problem = last?.problem ?? null,
  ): LoopEnd => {
    const isBroken = why === "failed" || isHaltedBy(why);
    const kept = checkpoint(isBroken ? "interrupted" : "stopped");
    // A full disk must not spoil the result of a finished loop.
    if (why !== "done") keep(kept);
    const session = isTurnSeen(brokenTurn, last) ? tool.toolSession : null;
    return { why, stop, problem, iterations: state.iteration, brokenTurn, session, totalUsd: kept.costUsd };
  };
  const halted = (): LoopEnd => end(isHaltedBy(halt.reason) ? halt.reason : "interrupted", null, null);
  if (!(await isReady(tool, halt))) return halted();
  for (;;) {
    brokenTurn = null;
    if (untilFile !== null && checkFileExists(untilFile)) return end("done");
    const stop = findStop(state, limits);
    if (stop === "iterations") return end(chooseEnding(untilFile, last), untilFile === null ? null : stop);
    if (stop !== null) return end("stopped", stop);
    const waited = await awaitHourlyLimit(state, options, halt);
    if (waited === "halted") return halted();
    if (waited === "exited") return end("failed", null, "the tool exited before its next turn");
    state = startTurn(state, clock.now());
    keep(checkpoint("running"));
    brokenTurn = state.iteration + 1;
    if (limits.iterations > 1) note(`turn ${brokenTurn} of ${limits.iterations}`);
    const turn = await tool.prompt(prompt);
    last = judgeTurn(turn);
    spentHere = last.costUsd ?? spentHere;
    if (halt.aborted) return halted();
    brokenTurn = null;
    state = finishTurn(state, last);
    const { session, costUsd: totalUsd } = checkpoint("running");
    onTurn({ ...last, iteration: state.iteration, session, totalUsd });
    // It is unknown how the turn ended; the next one may tell.
    if (turn.stopReason !== null || turn.problem === null) continue;
    return end(untilFile !== null && checkFileExists(untilFile) ? "done" : "failed");
  }
}

/** A cancelled or truncated turn has not done its task, even if the tool reports no error. */
function judgeTurn(turn: TurnReport): TurnReport {
  if (turn.refused > 0) return turn;
  return { ...turn, problem: turn.problem ?? describeEarlyEnd(turn.stopReason) };
}

/** Only a turn that began proves that the reported session can be resumed. */
function isTurnSeen(brokenTurn: number | null, last: TurnReport | null): boolean {
  if (brokenTurn !== null) return brokenTurn > 0;
  if (last === null) return false;
  return last.stopReason !== null || last.words !== "" || last.callsDone > 0;
}

function isHaltedBy(why: unknown): why is "interrupted" | typeof TIMED_OUT | typeof CANCELLED {
  return why === "interrupted" || why === TIMED_OUT || why === CANCELLED;
}

/** False if it was halted; then errors of the tool are expected. */
async function isReady({ ready }: LoopTool, halt: AbortSignal): Promise<boolean> {
  const isHalted = (): boolean => halt.aborted;
  if (isHalted()) return false;
  try {
    await Promise.race([ready, once(halt, "abort")]);
  } catch (error) {
    if (!isHalted()) throw error;
  }
  return !isHalted();
}

function chooseEnding(untilFile: string | null, last: TurnReport | null): LoopEnd["why"] {
  if (untilFile !== null) return "incomplete";
  if (last?.problem !== null) return "failed";
  return last.refused > 0 ? "refused" : "done";
}

function sumCosts(before: number | null, here: number | null): number | null {
  return before === null ? here : before + (here ?? 0);
}

async function awaitHourlyLimit(
  state: LoopState,
  { limits, clock, note, tool }: LoopOptions,
  halt: AbortSignal,
): Promise<"room" | "halted" | "exited"> {
  const ms = computeWaitMs(state, limits, clock.now());
  if (halt.aborted) return "halted";
  if (ms <= 0) return "room";
  note(`${limits.perHour} turns within an hour; the next starts in ${Math.ceil(ms / 60_000)} min`);
  let stopTimer = (): void => undefined;
  const room = new Promise<"room">((resolve) => {
    stopTimer = clock.after(ms, () => resolve("room"));
  });
  const halted = once(halt, "abort").then(() => "halted" as const);
  const exited = tool.exited.then(() => "exited" as const);
  return Promise.race([room, halted, exited]).finally(stopTimer);
}

/** A directory does not count. Errors: ATB_USAGE if the path cannot be checked. */
export function checkFileExists(path: string): boolean {
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
