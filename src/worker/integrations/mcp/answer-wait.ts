/** Waits for an answer until the client withdraws its question, the time is up, or nobody can be reached for too long. */
import type { Cancel, Clock } from "../../../model/clock.js";
import type { WithdrawReason } from "../../../sdk/adapter.js";

/** A hub starts within seconds. */
export const REACH_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 1_000;

export type NoAnswer =
  | { readonly kind: "gone"; readonly why: "taken_back" | "timed_out" }
  | { readonly kind: "gone"; readonly why: "unreachable"; readonly problem: string };

export type AnswerLimits = Omit<AnswerWaitOptions, "clock" | "isClientGone">;

export interface AnswerWaitOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly isClientGone: () => boolean;
  /** 0: no limit. */
  readonly limitMs: number;
  readonly ifLate: "timed_out" | "refused_late";
  /** Null while people can be reached. */
  readonly reach: { readonly problem: string | null };
}

export class AnswerWait {
  readonly #options: AnswerWaitOptions;
  readonly #end = new AbortController();
  #stopLimit: Cancel = () => undefined;
  #stopLook: Cancel = () => undefined;
  #gone: NoAnswer = { kind: "gone", why: "taken_back" };
  #lostAt: number | null = null;

  constructor(options: AnswerWaitOptions) {
    this.#options = options;
    const { clock, signal, limitMs, ifLate, isClientGone } = options;
    const takeBack = (): void => this.#finish({ kind: "gone", why: "taken_back" }, findReason());
    const findReason = (): WithdrawReason => {
      if (isClientGone()) return "session_ended";
      return signal.reason === "same_id" ? "same_id" : "taken_back";
    };
    if (signal.aborted) {
      takeBack();
      return;
    }
    signal.addEventListener("abort", takeBack, { once: true });
    const timeUp = (): void => this.#finish({ kind: "gone", why: "timed_out" }, ifLate);
    if (limitMs > 0) this.#stopLimit = clock.after(limitMs, timeUp);
    this.#look();
  }

  /** Aborted at the end, with the reason of the withdrawal. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get gone(): NoAnswer {
    return this.#gone;
  }

  stop(): void {
    this.#stopLimit();
    this.#stopLook();
  }

  #look(): void {
    const { clock, reach } = this.#options;
    const { problem } = reach;
    if (problem === null) this.#lostAt = null;
    else this.#lostAt ??= clock.monotonic();
    if (problem !== null && this.#lostAt !== null && clock.monotonic() - this.#lostAt >= REACH_WITHIN_MS)
      this.#finish({ kind: "gone", why: "unreachable", problem }, "unattended");
    else this.#stopLook = clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  #finish(gone: NoAnswer, reason: WithdrawReason): void {
    this.stop();
    if (this.#end.signal.aborted) return;
    this.#gone = gone;
    this.#end.abort(reason);
  }
}

export function describeNoLeave(answer: NoAnswer): string {
  if (answer.why === "unreachable") return answer.problem;
  return answer.why === "taken_back" ? TAKEN_BACK : "Nobody answered in time; nothing was typed.";
}

export const TAKEN_BACK = "The question was withdrawn before anybody answered.";
