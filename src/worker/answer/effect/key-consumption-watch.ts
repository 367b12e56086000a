/** Finds out which question consumed a key: one that was drawn before the tool read the key may have replaced the answered one. */
import type { Cancel } from "../../../model/clock.js";
import { isLineShape } from "../../detection/shapes/line-shape.js";
import { isHalfDrawn } from "./drawn-over.js";
import { pause, type TerminalPort } from "../terminal-port.js";
import { captureMoment, type ScreenMoment } from "../screen-match.js";
import { isPartOf, type ClassifyMoment } from "./classify-moment.js";
import { hasForeignPrompt } from "./foreign-prompt.js";
import type { AnswerTimings } from "../timings.js";

/** `unread`: the tool has not read the key yet. `unknown`: this system cannot tell. */
type ReadState = "unread" | "read" | "unknown";

/**
 * Where the kernel does not say when the key was read, another question within this time may have been drawn before: of 224 keys that met
 * another question none did so later than 65 ms. If that question leaves within this time, it consumed the key.
 */
const REACTS_AFTER_MS = 100;
/**
 * Output that a tool wrote before it read a key arrives within this time after the read: within 1 ms on an idle machine, and later than
 * 15 ms in one of 20,000 answers on an overloaded one.
 */
const DRAWN_WITHIN_MS = 40;
/** Until a written key has reached the tool's side of the terminal, an empty queue proves nothing. */
const ARRIVES_WITHIN_MS = 10;
const CHECK_EVERY_MS = 1;
/** An agent draws a dialog in some fifty steps. More than this many cannot be judged. */
const MOMENTS_MAX = 1000;

const UNREAD_KEY = "the question was gone before the tool had read the key";
const UNREAD_LINE = "the terminal took the line, but the tool has not read it";
const DRAWN_BEFORE = "another question may have been drawn before the tool read the key";
const UNREADABLE_BEFORE = "a screen that cannot be read may have been drawn before the tool read the key";

interface Seen {
  /** Since the write. */
  readonly afterMs: number;
  /** Bytes of output parsed by then. */
  readonly parsed: number;
}

/** The screen when an answering key is written. */
export interface KeyTarget {
  readonly moment: ScreenMoment;
  readonly classify: ClassifyMoment;
}

export class KeyConsumptionWatch {
  readonly #port: TerminalPort;
  readonly #asked: ScreenMoment;
  readonly #classify: ClassifyMoment;
  readonly #timings: AnswerTimings;
  readonly #writtenAt: number;
  readonly #until: number;
  readonly #typedAt: number;
  readonly #outputBefore: number;
  readonly #stopFrames: Cancel;
  #stopTimer: Cancel = () => undefined;
  #readState: ReadState = "unread";
  #hasArrived = false;
  #latest: ScreenMoment | null = null;
  readonly #unreadable: (Seen & { readonly moment: ScreenMoment })[] = [];
  /** When another question was first seen. */
  #otherSeen: Seen | null = null;
  /** Every different picture since another question was first seen. */
  readonly #moments: ScreenMoment[] = [];
  /** Bytes of output by the time that everything drawn before the read had arrived. */
  #outputWhenRead = Infinity;

  /** Must be constructed in the event-loop turn of the write. */
  constructor(port: TerminalPort, { moment, classify }: KeyTarget, timings: AnswerTimings) {
    this.#port = port;
    this.#asked = moment;
    this.#classify = classify;
    this.#timings = timings;
    this.#writtenAt = port.clock.monotonic();
    this.#until = this.#writtenAt + timings.effectWithinMs;
    this.#typedAt = port.typedAt();
    this.#outputBefore = port.outputBytes().written;
    port.setStepped(true);
    this.#stopFrames = port.onFrame(() => this.observe(captureMoment(port)));
    this.#check();
  }

  /**
   * Waits for a limited time until the tool has read the key, and until a question that may have consumed it had time to leave. `isLine`:
   * the terminal echoes the typed line itself, so output does not show who read it, and the tool may read it later.
   */
  async awaitRead(isLine: boolean): Promise<void> {
    const { clock } = this.#port;
    const end = isLine ? this.#until : clock.monotonic() + this.#timings.keyReadWithinMs;
    while (this.#isAwaited(end)) await pause(clock, CHECK_EVERY_MS);
    // Also shows what a tool that has ended left unread.
    if (this.#readState === "unread") this.#noteQueues(this.#port.readQueues());
    while (this.#readState === "read" && this.#outputWhenRead === Infinity)
      await pause(clock, CHECK_EVERY_MS);
    if (!this.#mayOtherHaveConsumed(isLine)) return;
    await pause(clock, REACTS_AFTER_MS - this.#passedMs);
    this.observe(captureMoment(this.#port));
  }

  #isAwaited(end: number): boolean {
    return this.#readState === "unread" && this.#port.isAlive() && this.#port.clock.monotonic() < end;
  }

  /** Must be given every moment of the screen until the effect is judged. */
  observe(moment: ScreenMoment): void {
    // The tool declares it half drawn: it asks nothing.
    if (moment.view.modes.synchronizedUpdate) return;
    this.#latest = moment;
    const seen = { afterMs: this.#passedMs, parsed: this.#port.outputBytes().parsed };
    if (this.#isOther(moment)) this.#otherSeen ??= seen;
    if (moment.live?.promptType === "unknown" && this.#unreadable.length < MOMENTS_MAX)
      this.#unreadable.push({ ...seen, moment });
    if (this.#otherSeen === null || this.#moments.at(-1)?.view.frame === moment.view.frame) return;
    if (this.#moments.length <= MOMENTS_MAX) this.#moments.push(moment);
  }

  /** Null when the tool has read the key, or when this system cannot tell. */
  explainUnread(isLine: boolean): string | null {
    if (this.#readState !== "unread") return null;
    return isLine ? UNREAD_LINE : UNREAD_KEY;
  }

  /** Why it is not certain that the answered question consumed the key; null when it is certain. */
  explainDoubt(isLine: boolean): string | null {
    const unread = this.explainUnread(isLine);
    if (unread !== null) return unread;
    if (this.#mayOtherHaveConsumed(isLine) && this.#hasChanged()) return DRAWN_BEFORE;
    return this.#mayUnreadableHaveConsumed(isLine) ? UNREADABLE_BEFORE : null;
  }

  /** A screen that no rule reads may have been a prompt that took the key. */
  #mayUnreadableHaveConsumed(isLine: boolean): boolean {
    const { live } = this.#asked;
    const latest = this.#latest;
    // If no rule reads the answered screen either, the two cannot be distinguished.
    if (live === null || live.promptType === "unknown" || latest === null) return false;
    return this.#unreadable.some(
      (seen) => this.#isBeforeRead(seen, isLine) && hasForeignPrompt(this.#asked, seen.moment, latest),
    );
  }

  /** Another question was seen so soon that it may have been drawn before the tool read the key. */
  #mayOtherHaveConsumed(isLine: boolean): boolean {
    return this.#otherSeen !== null && this.#isBeforeRead(this.#otherSeen, isLine);
  }

  #isBeforeRead({ afterMs, parsed }: Seen, isLine: boolean): boolean {
    return this.#readState === "read" && !isLine
      ? parsed <= this.#outputWhenRead
      : afterMs <= REACTS_AFTER_MS;
  }

  /** More than one other question was seen, or the only one left the screen: the key may have answered one of them. */
  #hasChanged(): boolean {
    const last = this.#moments.at(-1);
    if (last === undefined || !this.#isOther(last) || this.#moments.length > MOMENTS_MAX) return true;
    const begun = this.#moments.findIndex(
      (moment, at) => !this.#isOnItsWay(moment, this.#moments[at - 1], last),
    );
    const whole = this.#moments.slice(begun < 0 ? this.#moments.length : begun);
    return whole.some((moment, at) => !this.#isOther(moment) || !grows(whole[at - 1] ?? moment, moment));
  }

  /** Whether `last` is half drawn, from the top down to the cursor, which only moves down. */
  #isOnItsWay(moment: ScreenMoment, before: ScreenMoment | undefined, last: ScreenMoment): boolean {
    const isBelow = before === undefined || moment.view.cursor.y >= before.view.cursor.y;
    return isBelow && isHalfDrawn(this.#asked, moment, last);
  }

  #isOther(moment: ScreenMoment): boolean {
    return moment.live !== null && !this.#isRevealed(moment) && this.#classify(moment) === "other";
  }

  /** The tool goes back to that dialog only on a key, and nobody else has typed one: the answered dialog has consumed ours. */
  #isRevealed({ live }: ScreenMoment): boolean {
    const reveals = this.#asked.live?.reveals;
    return reveals !== undefined && live?.rule === reveals.rule && this.#port.typedAt() === this.#typedAt;
  }

  stop(): void {
    this.#stopTimer();
    this.#stopFrames();
    this.#port.setStepped(false);
  }

  get #passedMs(): number {
    return this.#port.clock.monotonic() - this.#writtenAt;
  }

  #noteQueues(queues: ReturnType<TerminalPort["readQueues"]>): void {
    if (queues === null) this.#readState = "unknown";
    else if (queues.input > 0) this.#hasArrived = true;
    else if (this.#hasArrived || this.#mustHaveArrived() || !this.#port.isAlive()) {
      this.#readState = "read";
      // Not at once: the kernel delivers output to us a little later than it lets the tool read.
      this.#port.clock.after(DRAWN_WITHIN_MS, () => this.#countDrawn());
    }
  }

  #mustHaveArrived(): boolean {
    const { live } = this.#asked;
    const isEchoed = this.#port.outputBytes().written > this.#outputBefore;
    const isSeen = isEchoed || live === null || !isLineShape(live);
    return this.#passedMs > (isSeen ? ARRIVES_WITHIN_MS : this.#timings.keyArrivesWithinMs);
  }

  /** A late call counts more output, so that more is doubted. */
  #countDrawn(): void {
    while (this.#port.readPending());
    this.#outputWhenRead = this.#port.outputBytes().written;
    this.#port.setStepped(false);
  }

  #check(): void {
    this.#noteQueues(this.#port.readQueues());
    const { clock } = this.#port;
    if (this.#isAwaited(this.#until)) this.#stopTimer = clock.after(CHECK_EVERY_MS, () => this.#check());
  }
}

function grows({ live: before }: ScreenMoment, { live: now }: ScreenMoment): boolean {
  return before !== null && now !== null && isPartOf(now, before);
}
