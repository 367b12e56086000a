/**
 * Types an answer (docs/explanation/architecture.md#life-of-a-prompt): just before each write, the same question must be on a settled screen
 * and nobody may have typed; otherwise nothing more is written. The committing key is the last one and is sent once; see `#pressEnterAgain`
 * for text.
 */
import { createRefusedResult } from "../prompts/refusal.js";
import type { InjectionGate, InjectionResult } from "../../sdk/adapter.js";
import { failPoint } from "../../observe/fail-point.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { Receipt, ReceiptOutcome, ReceiptProof } from "../../model/answer/receipt.js";
import { createRefusal } from "../../model/answer/refusal.js";
import type { Reply } from "../../model/answer/reply.js";
import { ENTER, isOneKey } from "./plan/bytes.js";
import {
  Preconditions,
  isBlocked,
  BLOCKED,
  type PreconditionOptions,
  type Blocked,
} from "./preconditions.js";
import type { TerminalPort } from "./terminal-port.js";
import {
  captureMoment,
  findEchoRows,
  hasMoved,
  isSameButText,
  countRowsLeft,
  type ScreenMoment,
} from "./screen-match.js";
import { createClassifier } from "./effect/classify-moment.js";
import { planAnswer, type ViewPlanner } from "./plan/plan.js";
import { endEarly, expectsTyped, isMove, isPlan, turnsBack, type Plan } from "./plan/plan-steps.js";
import {
  mayPressEnterAgain,
  watchEffect,
  type CommittingWrite,
  type ObservedEffect,
} from "./effect/effect.js";
import { awaitChange } from "./effect/screen-change.js";
import { KeyConsumptionWatch, type KeyTarget } from "./effect/key-consumption-watch.js";
import { DEFAULT_TIMINGS, ENTER_RESENDS_MAX, PLANS_MAX, type AnswerTimings } from "./timings.js";

export interface InjectOptions extends PreconditionOptions {
  readonly timings?: Partial<AnswerTimings>;
  /**
   * True from the gate until shortly after the last write: the caller holds back keyboard and mouse input. `touched`: our keys were written,
   * so the held input was meant for an older picture, and the caller drops it if it would commit an answer.
   */
  readonly onBusy?: (busy: boolean, touched: boolean) => void;
}

const SAME_PROMPT = { identity: "same" } as const;

/**
 * Types `reply` into the prompt that was raised as `raised`, or types nothing. One at a time per terminal; never throws for anything the
 * terminal does. Outcomes of a receipt: `answered`: the effect was seen; `failed`: the answer was provably not given, because no byte was
 * written, or only arrows, ticks or a draft while the same question is still drawn; `uncertain`: anything else.
 */
export function injectAnswer(
  port: TerminalPort,
  raised: Candidate,
  reply: Reply,
  gate: InjectionGate,
  options: InjectOptions,
): Promise<InjectionResult> {
  return injectPlanned(port, raised, (candidate, view) => planAnswer(candidate, view, reply), gate, options);
}

/** Types the keys of `plan`, which is called now and again after the gate. */
export function injectPlanned(
  port: TerminalPort,
  raised: Candidate,
  plan: ViewPlanner,
  gate: InjectionGate,
  options: InjectOptions,
): Promise<InjectionResult> {
  return new Injection(port, raised, plan, options).run(gate);
}

type WriteProblem = Blocked | "unknown";

class Injection {
  readonly #port: TerminalPort;
  readonly #raised: Candidate;
  readonly #planner: ViewPlanner;
  readonly #options: InjectOptions;
  readonly #timings: AnswerTimings;
  readonly #preconditions: Preconditions;
  #written = 0;
  #endsTool = false;
  /** The row was chosen; only its text is still to be typed. */
  #hasAnswered = false;
  /** A written key may have been the whole answer. */
  #mayBeAnswered = false;
  readonly #watches: KeyConsumptionWatch[] = [];
  #freedAt = Infinity;
  #change: Receipt["change"];

  constructor(port: TerminalPort, raised: Candidate, plan: ViewPlanner, options: InjectOptions) {
    this.#port = port;
    this.#raised = raised;
    this.#planner = plan;
    this.#options = options;
    this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
    this.#preconditions = new Preconditions(port, raised, options, this.#timings);
  }

  async run(gate: InjectionGate): Promise<InjectionResult> {
    // The first call loads a library, which must not delay the checks after a key.
    this.#port.readQueues();
    const checked = (await this.#preconditions.awaitQuietKeyboard())
      ? await this.#preconditions.check(SAME_PROMPT, null)
      : BLOCKED.typing;
    if (isBlocked(checked)) return this.#refuse(checked);
    const plan = this.#plan(checked);
    if (!isPlan(plan)) return createRefusedResult(plan, true);
    this.#endsTool = plan.endsTool;
    try {
      await gate({ endsTool: this.#endsTool, route: "keys" });
    } catch {
      return this.#refuse({ code: "not_recorded", why: "" });
    }
    this.#options.onBusy?.(true, false);
    try {
      return await this.#begin();
    } finally {
      this.#free();
    }
  }

  async #begin(): Promise<InjectionResult> {
    const checked = await this.#preconditions.check(SAME_PROMPT, null);
    if (isBlocked(checked)) return this.#stopBlocked(checked);
    // The highlight may have moved since the gate.
    const plan = this.#plan(checked);
    return isPlan(plan) ? this.#carryOut(plan) : this.#stopBlocked(BLOCKED.moved);
  }

  #plan({ view, live }: ScreenMoment): ReturnType<ViewPlanner> {
    return this.#planner(live ?? this.#raised, view);
  }

  async #carryOut(plan: Plan, before: ScreenMoment | null = null, plans = 1): Promise<InjectionResult> {
    for (const [i, step] of plan.steps.entries()) {
      const last = i === plan.steps.length - 1;
      if (i === 0) await failPoint("before_text");
      else if (last) await failPoint("between_text_and_enter");
      const stepsMax = plans < PLANS_MAX ? plan.steps.length - i + 1 : 0;
      const planOn = (now: ScreenMoment) => this.#planOn(now, before, plan.steps[i - 1]?.keys, stepsMax);
      const moment = await this.#preconditions.awaitReady(step.expects, before, this.#hasAnswered, planOn);
      const on = moment === BLOCKED.moved ? planOn(captureMoment(this.#port)) : null;
      if (on) return this.#carryOut(on, before, plans + 1);
      if (isBlocked(moment)) return this.#stopBlocked(moment);
      const echoRows = before && step.expects.echo ? findEchoRows(step.expects.echo, before, moment) : [];
      const commits = last || step.mayAnswer === true || step.answers === true;
      const target = commits ? { moment, classify: createClassifier(plan, moment) } : null;
      const problem = await this.#write(step.keys, last, target);
      if (problem === "unknown") return this.#report("uncertain", "how much the terminal took is not known");
      if (problem) return this.#stopBlocked(problem);
      if (last) await failPoint("after_enter");
      if (step.answers) this.#hasAnswered = true;
      if (step.mayAnswer) this.#mayBeAnswered = true;
      const write = {
        port: this.#port,
        timings: this.#timings,
        moment,
        echoRows,
        isDisturbed: () => this.#port.typedAt() >= this.#freedAt,
        isToolReading: this.#options.isToolReading,
        watches: this.#watches,
      };
      if (last) return this.#prove({ ...write, plan, momentBefore: before });
      if (step.mayAnswer && (await this.#preconditions.awaitLeaving(plan.steps[i + 1]?.expects, moment)))
        return this.#prove({ ...write, plan: endEarly(plan), momentBefore: null });
      // Text on a line is compared with the line before its first character.
      if (!expectsTyped(step)) before = moment;
    }
    return this.#stopBlocked(BLOCKED.moved);
  }

  /** The keys from the row that the `last` key has led to: lists pass rows that cannot be chosen, or stop at them. */
  #planOn(
    now: ScreenMoment,
    before: ScreenMoment | null,
    last: string | undefined,
    max: number,
  ): Plan | null {
    const plan = before && hasMoved(this.#raised, before, now) ? this.#plan(now) : null;
    return plan && isPlan(plan) && plan.steps.length <= max && !turnsBack(last, plan) ? plan : null;
  }

  /** Null: all of `keys` was written. */
  async #write(keys: string, committing: boolean, into: KeyTarget | null): Promise<WriteProblem | null> {
    const bytes = Buffer.from(keys, "utf8");
    let taken: number;
    try {
      // A key is written at once or not at all; only text may wait for a tool that reads slowly.
      const isText = !committing && !isOneKey(keys);
      const writing = this.#port.write(bytes, isText ? this.#timings.pasteWithinMs : 0);
      if (into) this.#watches.push(new KeyConsumptionWatch(this.#port, into, this.#timings));
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
    for (const watch of this.#watches) watch.stop();
    this.#free();
    if (this.#raised.promptType === "unknown")
      this.#change = await awaitChange(this.#port, commit.moment.view, this.#timings);
    if (proof === null || (this.#change === null && isMove(commit.plan)))
      return this.#report("uncertain", "no effect was seen in time");
    return this.#report(proof.outcome, proof.evidence, proof.proof);
  }

  async #awaitProof(commit: CommittingWrite): Promise<ObservedEffect | null> {
    const { clock } = this.#port;
    const { effectWithinMs, enterAgainAfterMs, stepWithinMs } = this.#timings;
    const end = clock.monotonic() + (isMove(commit.plan) ? stepWithinMs : effectWithinMs);
    let latest = commit;
    for (let enters = 0; enters < ENTER_RESENDS_MAX && mayPressEnterAgain(commit); enters++) {
      const proof = await watchEffect(latest, enterAgainAfterMs);
      if (proof) return proof;
      const again = await this.#pressEnterAgain(latest);
      if (again === null) break;
      latest = again;
    }
    return watchEffect(latest, end - clock.monotonic());
  }

  /**
   * Only while all of the text is drawn in the field of the same prompt and the tool has drawn something since the Enter: a tool that froze
   * may still take the first one.
   */
  async #pressEnterAgain(commit: CommittingWrite): Promise<CommittingWrite | null> {
    const { moment, echoRows } = commit;
    const now = await this.#preconditions.checkAtRest((seen) => {
      const stands =
        moment.live !== null &&
        isSameButText(moment.live, seen.live) &&
        countRowsLeft(echoRows, seen) === echoRows.length;
      return stands && seen.view.frame !== moment.view.frame ? null : BLOCKED.moved;
    });
    if (isBlocked(now)) return null;
    const target = { moment: now, classify: createClassifier(commit.plan, now) };
    return (await this.#write(ENTER, true, target)) === null ? { ...commit, moment: now } : null;
  }

  async #refuse(stop: Blocked): Promise<InjectionResult> {
    // The tool does not wait for the answer of an unread prompt.
    const stillAsked = stop !== BLOCKED.unread && (await this.#preconditions.isStillAsked(false));
    return createRefusedResult(createRefusal(stop.code), stillAsked);
  }

  async #stopBlocked({ why }: Blocked): Promise<InjectionResult> {
    if (this.#written === 0) return this.#report("failed", `${why} before the first key`);
    if (this.#mayBeAnswered) return this.#report("uncertain", `${why} after the first key`);
    if (this.#hasAnswered)
      return this.#report("uncertain", `${why} before the words that go with the answer were submitted`);
    return (await this.#preconditions.isStillAsked(true))
      ? this.#report("failed", `${why}; the highlight, ticks or a draft may have changed`)
      : this.#report("uncertain", `${why} before the confirming key, and the question is gone`);
  }

  #report(outcome: ReceiptOutcome, evidence: string, proof: ReceiptProof | null = null): InjectionResult {
    return {
      kind: "receipt",
      receipt: {
        outcome,
        proof,
        route: "keys",
        evidence,
        bytesWritten: this.#written,
        fingerprintBefore: this.#raised.fingerprint,
        fingerprintAfter: this.#port.detect()?.fingerprint ?? null,
        endsTool: this.#endsTool,
        ...(this.#change !== undefined && { change: this.#change }),
      },
    };
  }

  #free(): void {
    if (this.#freedAt !== Infinity) return;
    this.#freedAt = this.#port.clock.monotonic();
    this.#options.onBusy?.(false, this.#written > 0);
  }
}
