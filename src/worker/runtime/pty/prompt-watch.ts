/** From what the tracker finds to what the session hears: one prompt at a time, and its end told exactly once. */
import type { PromptEvent } from "../../../model/prompt.js";
import type { AdapterEvent, InjectionResult, WithdrawReason } from "../../../sdk/adapter.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { TrackerOutput } from "../../detect/tracker.js";
import { EventQueue } from "./event-queue.js";

/** The prompt that the hub knows of, and what it was raised on. */
export interface Asked {
  readonly event: PromptEvent;
  readonly epoch: number;
  readonly foregroundGroup: number | null;
  readonly committingKeys: readonly string[];
  /** Monotonic ms from which on the tool takes keys. */
  readonly hearsAt: number;
}

type Raise = Extract<TrackerOutput, { kind: "raise" }>;

export interface PromptWatchOptions {
  readonly stamp: (candidate: Candidate, epoch: number) => PromptEvent;
  readonly foregroundGroup: () => number | null;
  /** Monotonic ms. */
  readonly now: () => number;
  /** What still stands must be asked anew, in a new epoch. */
  readonly askAnew: () => void;
}

export class PromptWatch {
  readonly events = new EventQueue<AdapterEvent>();
  readonly #options: PromptWatchOptions;
  #asked: Asked | null = null;
  /** The prompt that an answer is being put into: its end is told by the receipt, not by a withdrawal. */
  #answering: Asked | null = null;
  /** A question that came up meanwhile: a page of the same answer as a rule. Raised after it, if it still stands. */
  #next: Raise | null = null;
  #ended = false;
  #count = 0;

  constructor(options: PromptWatchOptions) {
    this.#options = options;
  }

  get asked(): Asked | null {
    return this.#asked;
  }

  get answering(): Asked | null {
    return this.#answering;
  }

  /** Prompts raised until now. */
  get count(): number {
    return this.#count;
  }

  onTracker(output: TrackerOutput): void {
    if (output.kind === "raise" && this.#answering) this.#next = output;
    else if (output.kind === "withdraw" && this.#next) this.#next = null;
    else if (output.kind === "state") this.events.push({ kind: "state", state: output.state });
    else if (output.kind === "raise") this.#raise(output.candidate, output.epoch);
    // Keys of ours are only written by an injection, whose receipt says what became of it.
    else this.#leave(output.reason === "answered_by_us" ? "left_screen" : output.reason);
  }

  /** An answer to `asked` is being put in. */
  begin(asked: Asked): void {
    this.#answering = asked;
  }

  /** The result as the hub is to hear it; what the tracker must know, and what was kept back meanwhile, follows here. */
  finish(asked: Asked, outcome: InjectionResult): InjectionResult {
    this.#answering = null;
    const next = this.#next;
    this.#next = null;
    const result = asNewQuestion(outcome);
    const settled = result.kind === "receipt" && result.receipt.outcome === "answered";
    const stillAsked = result.kind === "refused" && result.stillAsked;
    if (stillAsked && this.#asked !== asked) this.#tellWithdrawn(asked, "left_screen");
    if (!settled && !stillAsked) {
      if (this.#asked === asked) this.#asked = null;
      this.#options.askAnew();
    } else if (next) this.#raise(next.candidate, next.epoch);
    if (this.#ended) this.events.end();
    return result;
  }

  /** The tool is gone. An answer that is being put in still tells its result; nothing else can happen any more. */
  end(reason: "answered_locally" | "session_ended"): void {
    this.#ended = true;
    this.#leave(reason);
    this.events.push({ kind: "state", state: "ended" });
    if (!this.#answering) this.events.end();
  }

  #raise(candidate: Candidate, epoch: number): void {
    const event = this.#options.stamp(candidate, epoch);
    const foregroundGroup = this.#options.foregroundGroup();
    const { committingKeys, deafMs = 0 } = candidate;
    this.#count += 1;
    this.#asked = { event, epoch, foregroundGroup, committingKeys, hearsAt: this.#options.now() + deafMs };
    this.events.push({ kind: "raised", event });
  }

  #leave(reason: WithdrawReason): void {
    const asked = this.#asked;
    this.#asked = null;
    if (asked && asked !== this.#answering) this.#tellWithdrawn(asked, reason);
  }

  #tellWithdrawn(asked: Asked, reason: WithdrawReason): void {
    this.events.push({ kind: "withdrawn", promptId: asked.event.promptId, reason });
  }
}

/**
 * Nobody knows whether the hub has recorded the injection whose first byte was never written: this prompt is over for it either
 * way, and what stands on the screen is asked anew.
 */
function asNewQuestion(result: InjectionResult): InjectionResult {
  const unrecorded = result.kind === "refused" && result.rejection.code === "not_recorded";
  return unrecorded ? { ...result, stillAsked: false } : result;
}
