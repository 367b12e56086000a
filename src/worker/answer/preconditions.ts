/** Whether the next key may be written in this turn of the event loop. */
import type { Candidate } from "../../sdk/candidate.js";
import type { RefusalCode } from "../../model/answer/refusal.js";
import { isSameSize } from "../detection/layout/fingerprint.js";
import { pause, settle, waitFor, type TerminalPort } from "./terminal-port.js";
import {
  isSameAtAnySize,
  isSameButText,
  captureMoment,
  meetsExpected,
  type ScreenMoment,
} from "./screen-match.js";
import type { Expected } from "./plan/plan-steps.js";
import { computePasteGap, type AnswerTimings } from "./timings.js";

/** Why nothing more is written. */
export interface Blocked {
  readonly code: RefusalCode;
  readonly why: string;
}

export function isBlocked(checked: ScreenMoment | Blocked): checked is Blocked {
  return "why" in checked;
}

export const BLOCKED = {
  ended: { code: "session_gone", why: "the tool ended" },
  typing: { code: "typing", why: "somebody typed at the terminal" },
  paused: { code: "paused", why: "AtlasBridge was paused" },
  foreground: { code: "screen_moved", why: "another program came to the foreground" },
  unread: { code: "not_read", why: "nobody reads the terminal, or somebody else does" },
  moved: { code: "screen_moved", why: "the screen moved" },
  restless: { code: "screen_moved", why: "the screen did not come to rest" },
  unwritten: { code: "write_failed", why: "the terminal did not take the key" },
} as const satisfies Record<string, Blocked>;

export interface PreconditionOptions {
  /** Foreground process group when the prompt was raised; null: unknown, and not compared. */
  readonly raisedGroup: number | null;
  /** False once the prompt's epoch is over: an identical question may have replaced it. */
  readonly isCurrent?: () => boolean;
  /** False if the kernel says that the program that asked is not reading. Absent: the kernel is not asked. */
  readonly isToolReading?: () => boolean;
  /** Aborted: the permission to write was revoked, perhaps within a plan. */
  readonly revoked?: AbortSignal | undefined;
}

export class Preconditions {
  readonly #port: TerminalPort;
  readonly #raised: Candidate;
  readonly #options: PreconditionOptions;
  readonly #timings: AnswerTimings;
  #typedAt = 0;

  constructor(port: TerminalPort, raised: Candidate, options: PreconditionOptions, timings: AnswerTimings) {
    this.#port = port;
    this.#raised = raised;
    this.#options = options;
    this.#timings = timings;
  }

  /**
   * Waits a limited time until local keys have had their effect on the screen; from then on a local key stops everything. False: the
   * person kept typing.
   */
  async awaitQuietKeyboard(): Promise<boolean> {
    const { clock } = this.#port;
    const { typingQuietMs, typingWaitMs } = this.#timings;
    const end = clock.monotonic() + typingWaitMs;
    for (;;) {
      this.#typedAt = this.#port.typedAt();
      const wait = this.#typedAt + typingQuietMs - clock.monotonic();
      if (wait <= 0) return true;
      if (clock.monotonic() + wait > end) return false;
      await pause(clock, wait);
    }
  }

  async check(expected: Expected, before: ScreenMoment | null): Promise<ScreenMoment | Blocked> {
    const { clock } = this.#port;
    const end = clock.monotonic() + this.#timings.toolReadsWithinMs;
    for (;;) {
      const checked = await this.checkAtRest((moment) => {
        if (expected.identity === "same" && this.#options.isCurrent?.() === false) return BLOCKED.moved;
        if (!meetsExpected(expected, this.#raised, before, moment)) return BLOCKED.moved;
        return this.#options.isToolReading?.() === false ? BLOCKED.unread : null;
      });
      if (checked !== BLOCKED.unread || clock.monotonic() >= end) return checked;
      await pause(clock, this.#timings.toolReadsGapMs);
    }
  }

  /** The settled screen, unless `judge` rejects it. All output until then is in it, if the write follows in this turn of the event loop. */
  async checkAtRest(judge: (moment: ScreenMoment) => Blocked | null): Promise<ScreenMoment | Blocked> {
    const { clock } = this.#port;
    const end = clock.monotonic() + this.#timings.settleWithinMs;
    do {
      const early = this.findBlock();
      if (early) return early;
      const rests = await this.#awaitRest();
      const moment = captureMoment(this.#port);
      const stop = this.findBlock() ?? (rests ? judge(moment) : BLOCKED.restless);
      if (stop) return stop;
      if (!this.#port.readPending()) return moment;
    } while (clock.monotonic() < end);
    return BLOCKED.restless;
  }

  /** Waits until the screen settles without an open synchronized update; one that stays open counts as drawn. */
  async #awaitRest(): Promise<boolean> {
    const { clock } = this.#port;
    const end = clock.monotonic() + this.#timings.settleWithinMs;
    const checkWhole = (): true | null => (this.#port.view().modes.synchronizedUpdate ? null : true);
    while (await settle(this.#port, end - clock.monotonic())) {
      if (checkWhole() || (await waitFor(this.#port, checkWhole, end - clock.monotonic())) === null)
        return true;
    }
    return false;
  }

  /** What forbids any further key on any screen. */
  findBlock(): Blocked | null {
    if (!this.#port.isAlive()) return BLOCKED.ended;
    if (this.#options.revoked?.aborted) return BLOCKED.paused;
    if (this.#port.typedAt() !== this.#typedAt) return BLOCKED.typing;
    const { raisedGroup } = this.#options;
    if (raisedGroup !== null && this.#port.foregroundGroup() !== raisedGroup) return BLOCKED.foreground;
    return null;
  }

  /**
   * Waits for the expected effect of the previous write; ends early when a key is forbidden, or when `planOn` has a plan after another
   * effect. `hasAnswered`: the effect of an answer may take longer than that of an arrow key.
   */
  async awaitReady(
    expected: Expected,
    before: ScreenMoment | null,
    hasAnswered: boolean,
    planOn: (now: ScreenMoment) => unknown,
  ): Promise<ScreenMoment | Blocked> {
    if (before !== null) {
      const { effectWithinMs, stepWithinMs, keyGapMs } = this.#timings;
      const began = this.#port.clock.monotonic();
      const checkOver = (): true | null => {
        const now = captureMoment(this.#port);
        const isReady = meetsExpected(expected, this.#raised, before, now) || planOn(now) !== null;
        return this.findBlock() !== null || isReady ? true : null;
      };
      await waitFor(this.#port, checkOver, hasAnswered ? effectWithinMs : stepWithinMs);
      const tookMs = this.#port.clock.monotonic() - began;
      const gapMs = expected.echo === undefined ? keyGapMs - tookMs : computePasteGap(tookMs, this.#timings);
      await pause(this.#port.clock, gapMs);
    }
    return this.check(expected, before);
  }

  /** After a key at which the tool may act: true when the question left or moved, false when `next` is drawn. */
  async awaitLeaving(next: Expected | undefined, before: ScreenMoment): Promise<boolean> {
    const check = (): boolean | null => {
      const block = this.findBlock();
      // A program that ends at its key leaves the foreground before we learn of its end.
      if (block !== null) return block === BLOCKED.ended || block === BLOCKED.foreground;
      const now = captureMoment(this.#port);
      if (next && meetsExpected(next, this.#raised, before, now)) return false;
      return this.#standsAsBefore(before, now) ? null : true;
    };
    const { stepWithinMs, goneForMs } = this.#timings;
    const isGone = await waitFor(this.#port, check, stepWithinMs);
    if (isGone !== true) return false;
    // A redraw erases the question for an instant.
    const checkBack = (): true | null => (check() === true ? null : true);
    return (await waitFor(this.#port, checkBack, goneForMs)) === null;
  }

  #standsAsBefore({ live: asked }: ScreenMoment, { live, view }: ScreenMoment): boolean {
    if (view.modes.synchronizedUpdate || view.unfollowed) return true;
    if (!isSameAtAnySize(this.#raised, live)) return false;
    return !asked || !isSameSize(asked, live) || live.region.top === asked.region.top;
  }

  /** Whether the question is drawn, or is drawn again within a moment. `moved`: our keys may have changed its text field. */
  async isStillAsked(moved: boolean): Promise<boolean> {
    const checkAsked = (): boolean | null => {
      if (!this.#port.isAlive()) return false;
      const live = this.#port.detect();
      return isSameAtAnySize(this.#raised, live) || (moved && isSameButText(this.#raised, live))
        ? true
        : null;
    };
    return (await waitFor(this.#port, checkAsked, this.#timings.returnsWithinMs)) ?? false;
  }
}
