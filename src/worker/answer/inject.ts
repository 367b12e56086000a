/**
 * Compare-and-inject (docs/explanation/architecture.md#life-of-a-prompt): just before each write the very same question stands on a settled
 * screen and nobody typed; if not, nothing more is written. The committing key is the last one and is never sent twice; see
 * `#pressEnterAgain` for text.
 */
import { refused } from "../prompts/refused.js";
import type { InjectionGate, InjectionResult } from "../../sdk/adapter.js";
import { failPoint } from "../../observe/fail-point.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { View } from "../../sdk/view.js";
import type { ReceiptOutcome, ReceiptProof } from "../../model/answer/receipt.js";
import { createRejection, type Rejection } from "../../model/answer/rejection.js";
import type { Reply } from "../../model/answer/reply.js";
import { ENTER, isOneKey } from "./plan/bytes.js";
import {
  Preconditions,
  isBlocked,
  BLOCKED,
  type PreconditionOptions,
  type Blocked,
} from "./preconditions.js";
import { pause, type TerminalPort } from "./terminal-port.js";
import { findEchoRows, isSameButText, rowsLeft, type ScreenMoment } from "./screen-match.js";
import { showsOf, type Shows } from "./effect/shows.js";
import { planAnswer } from "./plan/plan.js";
import { isPlan, type Expected, type Plan, type InputStep } from "./plan/plan-steps.js";
import { watchEffect, type CommittingWrite, type ObservedEffect } from "./effect/effect.js";
import { TakenWatch } from "./effect/taken-watch.js";
import { DEFAULT_TIMINGS, ENTER_RESENDS_MAX, type AnswerTimings } from "./timings.js";
import { runExclusive } from "./run-exclusive.js";

export interface InjectOptions extends PreconditionOptions {
  readonly timings?: Partial<AnswerTimings>;
  /**
   * True from the gate on until shortly after the last write: the caller holds back what comes from the keyboard and the mouse.
   * `touched`: keys of ours went in meanwhile. What was held was then aimed at another picture (the highlight moved, the dialog
   * closed), and the caller drops it if it would commit an answer, whatever stands there now.
   */
  readonly onBusy?: (busy: boolean, touched: boolean) => void;
}

const ASKED: Expected = { identity: "same" };

/** What an answering key is written into. */
interface Asked {
  readonly look: ScreenMoment;
  readonly shows: Shows;
}

/** The tool acted on a key before the last one. */
function atOnce({ steps, endsTool }: Plan): Plan {
  return { steps, effect: { kind: "leaves_row" }, endsTool };
}

/**
 * Puts `reply` into the prompt that was raised as `raised`, or nothing. One at a time per terminal; never throws for anything the
 * terminal does.
 *
 * Outcomes of a receipt: `answered` the effect was seen; `failed` our answer was proved not given, because no byte was written,
 * or only keys that confirm nothing (arrows, ticks, a draft) and the same question still stands; `uncertain` anything else.
 */
export function injectReply(
  port: TerminalPort,
  raised: Candidate,
  reply: Reply,
  gate: InjectionGate,
  options: InjectOptions,
): Promise<InjectionResult> {
  return injectPlanned(port, raised, (candidate, view) => planAnswer(candidate, view, reply), gate, options);
}

/** The same for what answers no prompt: `plan` is asked for the keys, now and once more behind the gate. */
export function injectPlanned(
  port: TerminalPort,
  raised: Candidate,
  plan: ViewPlanner,
  gate: InjectionGate,
  options: InjectOptions,
): Promise<InjectionResult> {
  return runExclusive(port, () => new Injection(port, raised, plan, options).run(gate));
}

/** The keys for what the screen shows now, or why there are none. */
export type ViewPlanner = (candidate: Candidate, view: View) => Plan | Rejection;

class Injection {
  readonly #port: TerminalPort;
  readonly #raised: Candidate;
  readonly #planner: ViewPlanner;
  readonly #options: InjectOptions;
  readonly #timings: AnswerTimings;
  readonly #guard: Preconditions;
  #written = 0;
  #endsTool = false;
  /** The choice was taken; what is still to come are its words. */
  #hasAnswered = false;
  readonly #taken: TakenWatch[] = [];
  #busy = false;
  #freedAt = Infinity;

  constructor(port: TerminalPort, raised: Candidate, plan: ViewPlanner, options: InjectOptions) {
    this.#port = port;
    this.#raised = raised;
    this.#planner = plan;
    this.#options = options;
    this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
    this.#guard = new Preconditions(port, raised, options, this.#timings);
  }

  async run(gate: InjectionGate): Promise<InjectionResult> {
    // Loaded before it is needed at once.
    this.#port.queues();
    const checked = (await this.#guard.awaitQuietKeyboard())
      ? await this.#guard.check(ASKED, null)
      : BLOCKED.typing;
    if (isBlocked(checked)) return this.#refused(checked);
    const plan = this.#plan(checked);
    if (!isPlan(plan)) return refused(plan, true);
    this.#endsTool = plan.endsTool;
    try {
      await gate({ endsTool: this.#endsTool, route: "keys" });
    } catch {
      return this.#refused({ code: "not_recorded", why: "" });
    }
    this.#hold();
    try {
      return await this.#begin();
    } finally {
      this.#free();
    }
  }

  async #begin(): Promise<InjectionResult> {
    const checked = await this.#guard.check(ASKED, null);
    if (isBlocked(checked)) return this.#stopped(checked);
    // Planned again: what is highlighted now may not be what was highlighted before the gate.
    const plan = this.#plan(checked);
    return isPlan(plan) ? this.#carryOut(plan) : this.#stopped(BLOCKED.moved);
  }

  #plan({ view, live }: ScreenMoment): ReturnType<ViewPlanner> {
    return this.#planner(live ?? this.#raised, view);
  }

  async #carryOut(plan: Plan): Promise<InjectionResult> {
    let before: ScreenMoment | null = null;
    for (const [i, step] of plan.steps.entries()) {
      const last = i === plan.steps.length - 1;
      if (i === 0) await failPoint("before_text");
      else if (last) await failPoint("between_text_and_enter");
      const look = await this.#ready(step, before);
      if (isBlocked(look)) return this.#stopped(look);
      const echo = before && step.requires.echo ? findEchoRows(step.requires.echo, before, look) : [];
      const commits = last || step.mayAnswer === true || step.answers === true;
      const problem = await this.#write(
        step.keys,
        last,
        commits ? { look, shows: showsOf(plan, look) } : null,
      );
      if (problem === "unknown") return this.#receipt("uncertain", "how much the terminal took is not known");
      if (problem) return this.#stopped(problem);
      if (last) await failPoint("after_enter");
      if (step.answers) this.#hasAnswered = true;
      const disturbed = (): boolean => this.#port.typedAt() >= this.#freedAt;
      const taken = this.#taken;
      if (last) return this.#prove({ plan, look, before, echo, disturbed, taken });
      if (step.mayAnswer && (await this.#guard.awaitLeaving(plan.steps[i + 1]?.requires, look)))
        return this.#prove({ plan: atOnce(plan), look, before: null, echo, disturbed, taken });
      before = look;
    }
    return this.#stopped(BLOCKED.moved);
  }

  async #ready(step: InputStep, before: ScreenMoment | null): Promise<ScreenMoment | Blocked> {
    if (before !== null) {
      const { clock } = this.#port;
      const began = clock.monotonic();
      const { effectWithinMs, stepWithinMs, keyGapMs } = this.#timings;
      // A turn that was ended by an answer takes longer than a key that moves something.
      const withinMs = this.#hasAnswered ? effectWithinMs : stepWithinMs;
      await this.#guard.awaitEffect(step.requires, before, withinMs);
      const tookMs = clock.monotonic() - began;
      await pause(clock, step.requires.echo === undefined ? keyGapMs - tookMs : this.#pasteGap(tookMs));
    }
    return this.#guard.check(step.requires, before);
  }

  /** What took long to show a paste takes as long to be done with it: some agents draw it first, and then wait for more of it. */
  #pasteGap(echoMs: number): number {
    const { pasteGapMs, pasteGapMaxMs } = this.#timings;
    return Math.min(Math.max(pasteGapMs, echoMs), pasteGapMaxMs);
  }

  /** Null when all of it went in. */
  async #write(keys: string, committing: boolean, into: Asked | null): Promise<Blocked | "unknown" | null> {
    const bytes = Buffer.from(keys, "utf8");
    let taken: number;
    try {
      // A key goes in now or never; only a text may wait for a tool that reads slowly.
      const isText = !committing && !isOneKey(keys);
      const writing = this.#port.write(bytes, isText ? this.#timings.pasteWithinMs : 0);
      if (into) this.#taken.push(new TakenWatch(this.#port, into.look, into.shows, this.#timings));
      taken = await writing;
    } catch {
      return "unknown";
    }
    this.#written += taken;
    if (taken === bytes.length) return null;
    // The first byte of a key sequence may be a key of its own: ESC cancels. A line without its Enter confirms nothing.
    return committing && taken > 0 && !keys.endsWith(ENTER) ? "unknown" : BLOCKED.unwritten;
  }

  async #prove(commit: CommittingWrite): Promise<InjectionResult> {
    const stopTimer = this.#port.clock.after(this.#timings.holdAfterMs, () => this.#free());
    const proof = await this.#awaitProof(commit);
    stopTimer();
    for (const watch of this.#taken) watch.stop();
    if (proof === null) return this.#receipt("uncertain", "no effect was seen in time");
    return this.#receipt(proof.outcome, proof.evidence, proof.proof);
  }

  async #awaitProof(commit: CommittingWrite): Promise<ObservedEffect | null> {
    const { clock } = this.#port;
    const { effectWithinMs, enterAgainAfterMs } = this.#timings;
    const end = clock.monotonic() + effectWithinMs;
    let latest = commit;
    for (let enters = 0; enters < ENTER_RESENDS_MAX && this.#mayPressEnterAgain(commit); enters++) {
      const proof = await watchEffect(this.#port, latest, enterAgainAfterMs, this.#timings);
      if (proof) return proof;
      const again = await this.#pressEnterAgain(latest);
      if (again === null) break;
      latest = again;
    }
    return watchEffect(this.#port, latest, end - clock.monotonic(), this.#timings);
  }

  /** Only for text in a composer: what follows the text row of a list may be the next question, and Enter would answer that. */
  #mayPressEnterAgain({ plan, look, echo }: CommittingWrite): boolean {
    return plan.effect.kind === "field_empties" && look.live?.promptType === "free_text" && echo.length > 0;
  }

  /**
   * Only while all of the text provably stands in the field of the same prompt and the tool has drawn something since the Enter:
   * a tool that froze may still take the first one.
   */
  async #pressEnterAgain(commit: CommittingWrite): Promise<CommittingWrite | null> {
    const { look, echo } = commit;
    const now = await this.#guard.atRest((seen) => {
      const stands =
        look.live !== null && isSameButText(look.live, seen.live) && rowsLeft(echo, seen) === echo.length;
      return stands && seen.view.frame !== look.view.frame ? null : BLOCKED.moved;
    });
    if (isBlocked(now)) return null;
    return (await this.#write(ENTER, true, { look: now, shows: showsOf(commit.plan, now) })) === null
      ? { ...commit, look: now }
      : null;
  }

  async #refused(stop: Blocked): Promise<InjectionResult> {
    // It stands there still, but nobody waits for its answer.
    const stillAsked = stop !== BLOCKED.unread && (await this.#guard.stillAsked(false));
    return refused(createRejection(stop.code), stillAsked);
  }

  async #stopped({ why }: Blocked): Promise<InjectionResult> {
    if (this.#written === 0) return this.#receipt("failed", `${why} before the first key`);
    if (this.#hasAnswered)
      return this.#receipt("uncertain", `${why} before the words that go with the answer were submitted`);
    return (await this.#guard.stillAsked(true))
      ? this.#receipt("failed", `${why}; the highlight, ticks or a draft may have changed`)
      : this.#receipt("uncertain", `${why} before the confirming key, and the question is gone`);
  }

  #receipt(outcome: ReceiptOutcome, evidence: string, proof: ReceiptProof | null = null): InjectionResult {
    const receipt = {
      outcome,
      proof,
      route: "keys" as const,
      evidence,
      bytesWritten: this.#written,
      fingerprintBefore: this.#raised.fingerprint,
      fingerprintAfter: this.#port.detect()?.fingerprint ?? null,
      endsTool: this.#endsTool,
    };
    return { kind: "receipt", receipt };
  }

  #hold(): void {
    this.#busy = true;
    this.#options.onBusy?.(true, false);
  }

  #free(): void {
    if (!this.#busy) return;
    this.#busy = false;
    this.#freedAt = this.#port.clock.monotonic();
    this.#options.onBusy?.(false, this.#written > 0);
  }
}
