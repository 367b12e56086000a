/**
 * Finds out which question consumed a key. The kernel tells when the tool has read it; a question drawn before that may have replaced the
 * answered one and consumed the key.
 */
import type { Cancel } from "../../../model/clock.js";
import { isLineShape } from "../../detection/shapes/line-shape.js";
import { isDrawnOver } from "./drawn-over.js";
import { pause, type TerminalPort } from "../terminal-port.js";
import { captureMoment, type ScreenMoment } from "../screen-match.js";
import { isPartOf, type ClassifyMoment } from "./classify-moment.js";
import { hasForeignPrompt } from "./foreign-prompt.js";
import type { AnswerTimings } from "../timings.js";

/** `unread`: the tool has not read the key yet. `unknown`: this system cannot tell. */
type ReadState = "unread" | "read" | "unknown";

/**
 * Used where the kernel cannot tell: another question seen within this time may have been drawn before the tool read the key. Of 224 keys
 * that met another question none did so later than 65 ms. Such a question is watched for as long: if it leaves, it consumed the key; if it
 * stays, it did not.
 */
const REACTS_AFTER_MS = 100;
/**
 * Output that a tool wrote before it read a key is seen within this time after the read: within 1 ms on an idle machine, and later than
 * 15 ms in one of 20,000 answers on a machine with three times more work than cores. An agent needs 44 ms to ask the next question.
 */
const DRAWN_WITHIN_MS = 40;
/** A written key normally reaches the tool's side of the terminal within this time. Until then an empty queue proves nothing. */
const ARRIVES_WITHIN_MS = 10;
/** A tool that is busy reads the key later. */
const CHECK_EVERY_MS = 1;
/** An agent that writes only differences draws a dialog in some fifty steps. After this many, the steps can no longer be judged. */
const MOMENTS_MAX = 1000;

const UNREAD_KEY = "the question was gone before the tool had read the key";
const UNREAD_LINE = "the terminal took the line, but the tool has not read it";
const DRAWN_BEFORE = "another question may have been drawn before the tool read the key";
const UNREADABLE_BEFORE = "a screen that cannot be read may have been drawn before the tool read the key";

/** An instant of the output. */
interface Seen {
  /** Since the write. */
  readonly afterMs: number;
  /** How much output was parsed by then. */
  readonly parsed: number;
}

/** What is on the screen when an answering key is written. */
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
  /** When somebody last typed at the terminal before the write. */
  readonly #typedAt: number;
  /** Bytes of output at the instant of the write. */
  readonly #outputBefore: number;
  readonly #stopFrames: Cancel;
  #stopTimer: Cancel = () => undefined;
  #readState: ReadState = "unread";
  #hasArrived = false;
  /** When another question was first seen. */
  #otherSeen: Seen | null = null;
  /** Pictures that no rule reads. */
  readonly #unreadable: (Seen & { readonly moment: ScreenMoment })[] = [];
  #latest: ScreenMoment | null = null;
  /** Every different picture since then. */
  readonly #moments: ScreenMoment[] = [];
  /** Output received by the time the tool had read the key and everything drawn before that could be read. */
  #outputWhenRead = Infinity;

  /** Must be constructed in the same event-loop turn as the write into what `moment` shows. */
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
   * Waits for a limited time until the kernel has told whether the tool read the key, and until a question that may have consumed it had
   * time to leave. `isLine`: the terminal echoes what is typed and ends the line, so output does not show who read it, and a tool
   * may still read it later.
   */
  async awaitRead(isLine: boolean): Promise<void> {
    const { clock } = this.#port;
    const end = isLine ? this.#until : clock.monotonic() + this.#timings.keyReadWithinMs;
    while (this.#isAwaited(end)) await pause(clock, CHECK_EVERY_MS);
    // The kernel still tells what a tool that has ended left unread.
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

  /** A sentence saying that the tool has not read the key; null when it has, or when this system cannot tell. */
  explainUnread(isLine: boolean): string | null {
    if (this.#readState !== "unread") return null;
    return isLine ? UNREAD_LINE : UNREAD_KEY;
  }

  /** A sentence saying why it is not certain that the answered question consumed the key; null when it is certain. */
  explainDoubt(isLine: boolean): string | null {
    const unread = this.explainUnread(isLine);
    if (unread !== null) return unread;
    if (this.#mayOtherHaveConsumed(isLine) && this.#hasChanged()) return DRAWN_BEFORE;
    return this.#mayUnreadableHaveConsumed(isLine) ? UNREADABLE_BEFORE : null;
  }

  /** Such a screen may have been a prompt where it asks something that neither the answered question nor the present screen shows. */
  #mayUnreadableHaveConsumed(isLine: boolean): boolean {
    const { live } = this.#asked;
    const latest = this.#latest;
    // Of two screens that no rule reads, neither is known to be the answered one.
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

  /** `last` is partly drawn over the answered question, from the top down to the cursor, which never moves up again. */
  #isOnItsWay(moment: ScreenMoment, before: ScreenMoment | undefined, last: ScreenMoment): boolean {
    const isBelow = before === undefined || moment.view.cursor.y >= before.view.cursor.y;
    return isBelow && isDrawnOver(this.#asked, moment, last);
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

  /** If it is called late, more output is counted and more is doubted, which is safe. */
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
