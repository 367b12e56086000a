/** Decides what a repeated task does next and what it remembers, until it is done or makes no progress. Pure. */
import { createHash } from "node:crypto";

/** The result of one turn. */
export interface TurnFacts {
  readonly problem: string | null;
  readonly words: string;
  readonly callsDone: number;
  readonly denials: number;
}

export interface LoopLimits {
  readonly iterations: number;
  /** Turns started per hour. */
  readonly perHour: number;
  /** How many turns in a row without progress, with the same error, or with a denial end the loop. */
  readonly noProgress: number;
  readonly sameError: number;
  readonly denials: number;
}

/** Plain data, because the checkpoint stores it. */
export interface LoopState {
  readonly iteration: number;
  /** Instants (ms since 1970) at which the turns of the last hour started. */
  readonly begunAt: readonly number[];
  readonly idleTurns: number;
  readonly sameErrors: number;
  readonly deniedTurns: number;
  /** Digests: two turns are only compared, and what an agent says may hold secrets. */
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
/** Length of a turn's last message that is compared. */
const WORDS_LENGTH_MAX = 2000;

/** Records the start of a turn. */
export function startTurn(state: LoopState, now: number): LoopState {
  return { ...state, begunAt: [...listRecent(state, now), now] };
}

/** ms until the next turn may start. */
export function computeWaitMs(state: LoopState, { perHour }: LoopLimits, now: number): number {
  const recent = listRecent(state, now);
  const [oldest = now] = recent.slice(-perHour);
  return recent.length < perHour ? 0 : oldest + HOUR_MS - now;
}

/** Records the end of a turn. */
export function finishTurn(state: LoopState, turn: TurnFacts): LoopState {
  const error = turn.problem === null ? null : hashText(normalizeError(turn.problem));
  const wordsDigest = hashText(turn.words.slice(-WORDS_LENGTH_MAX));
  const isIdle = turn.problem === null && (turn.callsDone === 0 || wordsDigest === state.wordsDigest);
  return {
    ...state,
    iteration: state.iteration + 1,
    // A failed turn says nothing about progress; its error is counted instead.
    idleTurns: isIdle ? state.idleTurns + 1 : turn.problem === null ? 0 : state.idleTurns,
    sameErrors: error === null ? 0 : error === state.errorDigest ? state.sameErrors + 1 : 1,
    deniedTurns: turn.denials > 0 ? state.deniedTurns + 1 : 0,
    errorDigest: error,
    wordsDigest,
  };
}

/** Why no further turn is started; null: continue. */
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

/** Removes numbers and ids, which differ between occurrences of the same error. */
function normalizeError(problem: string): string {
  return problem.replace(/[0-9a-f]{8,64}|[0-9]{1,20}/gi, "#").slice(0, KIND_LENGTH_MAX);
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** `file`: as typed, relative to the folder in which the tool works. A task that says it already is not changed. */
export function tellUntilFile(task: string, file: string | null): string {
  if (file === null) return task;
  const sentence = `When all of this is done, create the file ${file}, and not before.`;
  return task.includes(sentence) ? task : `${task.trimEnd()}\n\n${sentence}`;
}
