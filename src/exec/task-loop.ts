/** The same task again and again, until it is done or nothing comes of it: what is to be done next, and what is kept. Pure. */

/** What came of one turn. */
export interface TurnFacts {
  readonly problem: string | null;
  readonly words: string;
  readonly callsDone: number;
  readonly denials: number;
}

export interface LoopLimits {
  readonly iterations: number;
  /** Turns begun within an hour. */
  readonly perHour: number;
  /** So many turns in a row without progress, with the same error, or with something refused end it. */
  readonly noProgress: number;
  readonly sameError: number;
  readonly denials: number;
}

/** Plain data: a checkpoint holds it. */
export interface LoopState {
  readonly iteration: number;
  /** Instants (ms since 1970) at which the turns of the last hour began. */
  readonly begunAt: readonly number[];
  readonly idleTurns: number;
  readonly sameErrors: number;
  readonly deniedTurns: number;
  readonly lastError: string | null;
  readonly lastWords: string;
}

export const LOOP_STOPS = ["iterations", "no_progress", "same_error", "denials"] as const;
export type LoopStop = (typeof LOOP_STOPS)[number];

export const NEW_LOOP: LoopState = {
  iteration: 0,
  begunAt: [],
  idleTurns: 0,
  sameErrors: 0,
  deniedTurns: 0,
  lastError: null,
  lastWords: "",
};

const HOUR_MS = 3_600_000;
/** Of a turn's last words; as much as tells two turns apart, for it is kept in a file. */
const WORDS_LENGTH_MAX = 2000;

/** A turn begins. */
export function startTurn(state: LoopState, now: number): LoopState {
  return { ...state, begunAt: [...lately(state, now), now] };
}

/** ms until the next turn may begin. */
export function waitMs(state: LoopState, { perHour }: LoopLimits, now: number): number {
  const recent = lately(state, now);
  const [oldest = now] = recent.slice(-perHour);
  return recent.length < perHour ? 0 : oldest + HOUR_MS - now;
}

/** A turn is over. */
export function finishTurn(state: LoopState, turn: TurnFacts): LoopState {
  const error = turn.problem === null ? null : kindOf(turn.problem);
  const lastWords = turn.words.slice(-WORDS_LENGTH_MAX);
  const isIdle = turn.problem === null && (turn.callsDone === 0 || lastWords === state.lastWords);
  return {
    ...state,
    iteration: state.iteration + 1,
    // A turn that fails says nothing about progress; the error is counted.
    idleTurns: isIdle ? state.idleTurns + 1 : turn.problem === null ? 0 : state.idleTurns,
    sameErrors: error === null ? 0 : error === state.lastError ? state.sameErrors + 1 : 1,
    deniedTurns: turn.denials > 0 ? state.deniedTurns + 1 : 0,
    lastError: error,
    lastWords,
  };
}

/** Why no further turn is to be begun; null: go on. */
export function stopOf(state: LoopState, limits: LoopLimits): LoopStop | null {
  if (state.deniedTurns >= limits.denials) return "denials";
  if (state.sameErrors >= limits.sameError) return "same_error";
  if (state.idleTurns >= limits.noProgress) return "no_progress";
  return state.iteration >= limits.iterations ? "iterations" : null;
}

function lately({ begunAt }: LoopState, now: number): readonly number[] {
  return begunAt.filter((at) => at > now - HOUR_MS && at <= now);
}

const KIND_LENGTH_MAX = 300;

/** Numbers and ids differ from time to time. */
function kindOf(problem: string): string {
  return problem.replace(/[0-9a-f]{8,64}|[0-9]{1,20}/gi, "#").slice(0, KIND_LENGTH_MAX);
}
