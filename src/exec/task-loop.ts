/** Decides how a loop continues. Pure. */
import { createHash } from "node:crypto";

export interface TurnFacts {
  readonly problem: string | null;
  readonly words: string;
  readonly callsDone: number;
  readonly denials: number;
}

export interface LoopLimits {
  readonly iterations: number;
  readonly perHour: number;
  /** So many turns in a row end the loop. */
  readonly noProgress: number;
  readonly sameError: number;
  readonly denials: number;
}

/** It is stored in the checkpoint. */
export interface LoopState {
  readonly iteration: number;
  /** Start times of the last hour's turns, in ms since 1970. */
  readonly begunAt: readonly number[];
  readonly idleTurns: number;
  readonly sameErrors: number;
  readonly deniedTurns: number;
  /** Only compared; the texts may hold secrets. */
  readonly errorDigest: string | null;
  readonly wordsDigest: string;
}

export type LoopStop = "iterations" | "no_progress" | "same_error" | "denials";

export const NEW_LOOP: LoopState = {
  iteration: 0,
  begunAt: [],
  idleTurns: 0,
  sameErrors: 0,
  deniedTurns: 0,
  errorDigest: null,
  wordsDigest: hashText(""),
};

const HOUR_MS = 3_600_000;
const WORDS_LENGTH_MAX = 2000;

export function startTurn(state: LoopState, now: number): LoopState {
  return { ...state, begunAt: [...listRecent(state, now), now] };
}

export function computeWaitMs(state: LoopState, { perHour }: LoopLimits, now: number): number {
  const recent = listRecent(state, now);
  const [oldest = now] = recent.slice(-perHour);
  return recent.length < perHour ? 0 : oldest + HOUR_MS - now;
}

export function finishTurn(state: LoopState, turn: TurnFacts): LoopState {
  const error = turn.problem === null ? null : hashText(normalizeError(turn.problem));
  const wordsDigest = hashText(turn.words.slice(-WORDS_LENGTH_MAX));
  const isIdle = turn.problem === null && (turn.callsDone === 0 || wordsDigest === state.wordsDigest);
  return {
    ...state,
    iteration: state.iteration + 1,
    // A failed turn does not show progress or the lack of it.
    idleTurns: isIdle ? state.idleTurns + 1 : turn.problem === null ? 0 : state.idleTurns,
    sameErrors: error === null ? 0 : error === state.errorDigest ? state.sameErrors + 1 : 1,
    deniedTurns: turn.denials > 0 ? state.deniedTurns + 1 : 0,
    errorDigest: error,
    wordsDigest,
  };
}

/** Null: continue. */
export function findStop(state: LoopState, limits: LoopLimits): LoopStop | null {
  if (state.deniedTurns >= limits.denials) return "denials";
  if (state.sameErrors >= limits.sameError) return "same_error";
  if (state.idleTurns >= limits.noProgress) return "no_progress";
  return state.iteration >= limits.iterations ? "iterations" : null;
}

function listRecent({ begunAt }: LoopState, now: number): readonly number[] {
  return begunAt.filter((at) => at > now - HOUR_MS && at <= now);
}

const KIND_LENGTH_MAX = 300;

/** They differ between occurrences of one error. */
function normalizeError(problem: string): string {
  return problem.replace(/[0-9a-f]{8,64}|[0-9]{1,20}/gi, "#").slice(0, KIND_LENGTH_MAX);
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** `file` is relative to the tool's folder. A task that names it stays as it is. */
export function tellUntilFile(task: string, file: string | null): string {
  if (file === null) return task;
  const sentence = `When all of this is done, create the file ${file}, and not before.`;
  return task.includes(sentence) ? task : `${task.trimEnd()}\n\n${sentence}`;
}
