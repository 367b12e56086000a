/**
 * Which question took a key. The kernel tells when the tool has read it; what was drawn until then may stand in the place of the question
 * that was answered, and have taken the key.
 */
import type { Cancel } from "../../../model/clock.js";
import { isLineShape } from "../../detection/shapes/line-shape.js";
import { isDrawnOver } from "./drawn-over.js";
import { pause, type TerminalPort } from "../terminal-port.js";
import { captureMoment, type ScreenMoment } from "../screen-match.js";
import { isPartOf, type Shows } from "./shows.js";
import type { AnswerTimings } from "../timings.js";

/** `unread`: the tool has not read the key yet. `untold`: this system does not tell. */
type TakenBy = "unread" | "read" | "untold";

/**
 * Where the kernel tells nothing: another question that is seen sooner may have been drawn before the tool read the key. Of 224 keys that
 * met another question none did so later than 65 ms. So long such a question is watched, too: one that took the key leaves, one that
 * still stands did not take it.
 */
const REACTS_AFTER_MS = 100;
/**
 * What a tool drew before it read a key is seen so soon after the key was read: a millisecond later where the machine has time, and in one
 * of 20,000 answers on a machine with three times more work than cores later than 15. An agent needs 44 ms to ask the next question.
 */
const DRAWN_WITHIN_MS = 40;
/** A tool that waits for a key reads it sooner than a timer could look again; this long we look without a pause. */
const SPIN_MS = 2;
/** What was written reaches the tool's side of the terminal sooner as a rule. Until then an empty queue tells nothing. */
const ARRIVES_WITHIN_MS = 10;
/**
 * The kernel carries it there when it has a processor for that: with seven programs for each core later than 10 ms. Of a line it shows that
 * by echoing it. Where nothing was echoed, so long an empty queue tells nothing.
 */
const ARRIVES_UNSEEN_WITHIN_MS = 250;
/** A tool that is busy reads the key later. */
const LOOK_EVERY_MS = 1;
/** An agent that writes only what differs draws a dialog in some fifty steps. Of more nobody can say what they were. */
const LOOKS_MAX = 1000;
/** A question that left the screen was answered as a rule: the key is read by then, and this is found out a little later. */
const TOLD_WITHIN_MS = 60;

const UNREAD_KEY = "the question was gone before the tool had read the key";
const UNREAD_LINE = "the terminal took the line, but the tool has not read it";
const DRAWN_BEFORE = "another question may have been drawn before the tool read the key";

export class TakenWatch {
  readonly #port: TerminalPort;
  readonly #asked: ScreenMoment;
  readonly #shows: Shows;
  readonly #writtenAt: number;
  readonly #until: number;
  /** Bytes of output at the instant of the write. */
  readonly #outputBefore: number;
  readonly #stopFrames: Cancel;
  #stopTimer: Cancel = () => undefined;
  #by: TakenBy = "unread";
  #hasArrived = false;
  /** Since the write, and the output parsed by then: when another question was seen. */
  #other: { readonly afterMs: number; readonly parsed: number } | null = null;
  /** From then on, each picture once. */
  readonly #looks: ScreenMoment[] = [];
  /** Output that had come when the tool had read the key and what it drew before could be read. */
  #writtenByThen = Infinity;

  /** Made in the very turn of the write into what `asked` shows. */
  constructor(port: TerminalPort, asked: ScreenMoment, shows: Shows, timings: AnswerTimings) {
    this.#port = port;
    this.#asked = asked;
    this.#shows = shows;
    this.#writtenAt = port.clock.monotonic();
    this.#until = this.#writtenAt + timings.effectWithinMs;
    this.#outputBefore = port.outputBytes().written;
    port.lookClosely(true);
    this.#stopFrames = port.onFrame(() => this.see(captureMoment(port)));
    this.#spin();
    if (this.#by === "unread") this.#lookAgain();
  }

  /**
   * Waits, but not for long, until the kernel has told whether the tool read the key, and until a question that may have taken it had
   * the time to leave. `isLine`: the terminal shows what is typed and ends the line, so that output says nothing of who read it, and a
   * tool that has yet to read it still may.
   */
  async whenTold(isLine: boolean): Promise<void> {
    const { clock } = this.#port;
    const end = isLine ? this.#until : clock.monotonic() + TOLD_WITHIN_MS;
    while (this.#isAwaited(end)) await pause(clock, LOOK_EVERY_MS);
    // Of a tool that ended the kernel still tells what it left unread.
    if (this.#by === "unread") this.#hear(this.#port.queues());
    while (this.#by === "read" && this.#writtenByThen === Infinity) await pause(clock, LOOK_EVERY_MS);
    if (!this.#mayHaveTakenIt(isLine)) return;
    await pause(clock, REACTS_AFTER_MS - this.#passedMs);
    this.see(captureMoment(this.#port));
  }

  #isAwaited(end: number): boolean {
    return this.#by === "unread" && this.#port.alive() && this.#port.clock.monotonic() < end;
  }

  /** Must see every look at the screen until the effect is judged. */
  see(look: ScreenMoment): void {
    // Half drawn, as the tool says: nobody is asked anything by it.
    if (look.view.modes.synchronizedUpdate) return;
    if (this.#isOther(look))
      this.#other ??= { afterMs: this.#passedMs, parsed: this.#port.outputBytes().parsed };
    if (this.#other === null || this.#looks.at(-1)?.view.frame === look.view.frame) return;
    if (this.#looks.length <= LOOKS_MAX) this.#looks.push(look);
  }

  /** In plain words, that the tool has not read the key; null when it has, or this system does not tell. */
  whyUnread(isLine: boolean): string | null {
    if (this.#by !== "unread") return null;
    return isLine ? UNREAD_LINE : UNREAD_KEY;
  }

  /** Why it is not certain that the question that was answered took the key, in plain words; null when it is. */
  doubt(isLine: boolean): string | null {
    const isDoubtful = this.#mayHaveTakenIt(isLine) && this.#hasChanged();
    return this.whyUnread(isLine) ?? (isDoubtful ? DRAWN_BEFORE : null);
  }

  /** Another question was seen so soon that it may have been drawn before the tool read the key. */
  #mayHaveTakenIt(isLine: boolean): boolean {
    if (this.#other === null) return false;
    const { afterMs, parsed } = this.#other;
    return this.#by === "read" && !isLine ? parsed <= this.#writtenByThen : afterMs <= REACTS_AFTER_MS;
  }

  /** There was more than one, or the only one left: one of them may have been answered by the key. */
  #hasChanged(): boolean {
    const last = this.#looks.at(-1);
    if (last === undefined || !this.#isOther(last) || this.#looks.length > LOOKS_MAX) return true;
    const begun = this.#looks.findIndex((look, at) => !this.#isOnItsWay(look, this.#looks[at - 1], last));
    const whole = this.#looks.slice(begun < 0 ? this.#looks.length : begun);
    return whole.some((look, at) => !this.#isOther(look) || !grows(whole[at - 1] ?? look, look));
  }

  /** Down to where it has come, `last` is drawn over the question that was answered. It does not come back up. */
  #isOnItsWay(look: ScreenMoment, before: ScreenMoment | undefined, last: ScreenMoment): boolean {
    const isBelow = before === undefined || look.view.cursor.y >= before.view.cursor.y;
    return isBelow && isDrawnOver(this.#asked, look, last);
  }

  #isOther(look: ScreenMoment): boolean {
    return look.live !== null && this.#shows(look) === "other";
  }

  stop(): void {
    this.#stopTimer();
    this.#stopFrames();
    this.#port.lookClosely(false);
  }

  get #passedMs(): number {
    return this.#port.clock.monotonic() - this.#writtenAt;
  }

  #spin(): void {
    for (const end = performance.now() + SPIN_MS; this.#by === "unread" && performance.now() < end;) {
      const queues = this.#port.queues();
      this.#hear(queues);
      if (!queues || queues.output === 0) continue;
      // What came before the key was read can be looked at before the tool's reaction is.
      this.#port.catchUp();
      return;
    }
  }

  #hear(queues: ReturnType<TerminalPort["queues"]>): void {
    if (queues === null) this.#by = "untold";
    else if (queues.input > 0) this.#hasArrived = true;
    else if (this.#hasArrived || this.#mustHaveArrived() || !this.#port.alive()) {
      this.#by = "read";
      // Not at once: the kernel passes on what was drawn a little later than it lets the tool read.
      this.#port.clock.after(DRAWN_WITHIN_MS, () => this.#countDrawn());
    }
  }

  #mustHaveArrived(): boolean {
    const { live } = this.#asked;
    const isEchoed = this.#port.outputBytes().written > this.#outputBefore;
    const isSeen = isEchoed || live === null || !isLineShape(live);
    return this.#passedMs > (isSeen ? ARRIVES_WITHIN_MS : ARRIVES_UNSEEN_WITHIN_MS);
  }

  /** Called late, it counts more: then more is in doubt. */
  #countDrawn(): void {
    while (this.#port.catchUp());
    this.#writtenByThen = this.#port.outputBytes().written;
    this.#port.lookClosely(false);
  }

  #lookAgain(): void {
    this.#stopTimer = this.#port.clock.after(LOOK_EVERY_MS, () => {
      this.#hear(this.#port.queues());
      const goesOn = this.#port.alive() && this.#port.clock.monotonic() < this.#until;
      if (this.#by === "unread" && goesOn) this.#lookAgain();
    });
  }
}

function grows({ live: before }: ScreenMoment, { live: now }: ScreenMoment): boolean {
  return before !== null && now !== null && isPartOf(now, before);
}
