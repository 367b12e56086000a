/**
 * Follows a program from prompt to prompt. Marks with the session's nonce prove where it is. A prompt without marks counts once the output
 * is quiet, unless the program is known to do something other than wait for input.
 */
import type { Cancel, Clock } from "../../../../model/clock.js";
import type { ProgramFile } from "../../../adapter-format/program/program-file.js";
import { CursorLine } from "./cursor-line.js";
import { CancelKey } from "./cancel-key.js";
import { readProperty, type PromptMark } from "./mark-parser.js";
import type { ModeDetector } from "./mode-detector.js";
import { matchPrompt } from "./prompt-pattern.js";
import { PromptInput } from "./prompt-input.js";
import type { TerminalOwner } from "./terminal-owner.js";
import { readSettlingLimits, OutputSettling } from "../output-settling.js";

export type Phase = "starting" | "running" | "drawing" | "prompt" | "continuation" | "ended";

const LINE_FEED = 10;
/** More output of the same write may follow a prompt. */
const QUIET_MS = 15;
/** How often to check again while a program works although its line looks like a prompt. */
const RETRY_MS = 25;
/**
 * If a program marks the begin of each command, and no mark follows within this time although it reads, then the line is incomplete and
 * still in its editor, as in fish. The time counts from its output, because without output the program may not have processed the line yet.
 */
const UNTAKEN_MS = 300;
/** The same if it is unknown whether it reads, because the machine may be busy. */
const UNSEEN_UNTAKEN_MS = 2000;
/**
 * A prompt after output in the same line counts at once only if the program is seen to read. A program that waits for several files at
 * once, as gdb does, must have been quiet for this long.
 */
const UNSEEN_QUIET_MS = 300;
/** A working program may look unknown for a moment, as during garbage collection. So many checks in a row are reliable. */
const UNSEEN_LOOKS = 8;
/** For programs that do not mark the end of the prompt. */
const DRAWN_MS = 100;

export interface PromptWatchOptions {
  readonly program: ProgramFile;
  readonly modes: ModeDetector;
  readonly clock: Clock;
  /** Whether a foreground process waits in `read` of this terminal; undefined if unknown. */
  readonly isReading: () => boolean | undefined;
  readonly typedAt: () => number;
  readonly columns: () => number;
  readonly owner: Pick<TerminalOwner, "learn" | "isElsewhere">;
  readonly onPhase: (phase: Phase) => void;
}

export class PromptWatch {
  readonly #options: PromptWatchOptions;
  readonly #line: CursorLine;
  readonly #input: PromptInput;
  /** Patterns of prompts that have no marks. */
  readonly #drawn: readonly string[];
  /** The pattern of the first prompt, if only later ones are marked. */
  readonly #firstDrawn: string | null;
  readonly #settling: OutputSettling | null;
  readonly #continuation: string | null;
  #phase: Phase = "starting";
  #stopTimer: Cancel = () => undefined;
  /** The text of the prompt; null if it was found by marks. */
  promptLine: string | null = null;
  /** When the prompt was last drawn, on the monotonic clock, including redrawing over a begun line. */
  promptAt = -Infinity;
  #isMarkedDrawn = false;
  submittedAt = -Infinity;
  #outputAt = -Infinity;
  /** Checks in a row since the last output at which it was unknown whether the program reads. */
  #unseenLooks = 0;
  readonly #marksBegin: boolean;
  #hasBegun = false;
  /** The program has put the last submitted line back into its editor. */
  holdsRefused = false;
  readonly #cancelKey = new CancelKey();

  constructor(options: PromptWatchOptions) {
    this.#options = options;
    const { prompt, init, process, ready } = options.program;
    this.#line = new CursorLine(process.encoding);
    this.#input = new PromptInput(this.#line, options.columns);
    const isMarked = prompt.strategy === "shell_integration";
    this.#marksBegin = isMarked && ["preexec", "ps0", "debug_trap"].includes(init.hook_type);
    const own = prompt.primary ?? init.marker?.primary;
    this.#drawn = [...options.modes.prompts, ...(isMarked || own === undefined ? [] : [own])];
    const isReadyDrawn = ["marker", "regex"].includes(ready.wait_for_event) && init.delivery !== "pty_inject";
    this.#firstDrawn = isMarked && isReadyDrawn ? (own ?? null) : null;
    this.#settling =
      ready.wait_for_event === "custom"
        ? new OutputSettling(
            options.clock,
            readSettlingLimits(options.program),
            () => this.#settle(),
            options.isReading,
          )
        : null;
    this.#continuation = isMarked ? null : (prompt.continuation ?? init.marker?.continuation ?? null);
  }

  /** A person typed since a line was last submitted. */
  get hasTyped(): boolean {
    return this.#options.typedAt() > this.submittedAt;
  }

  get input(): Pick<PromptInput, "isEmpty" | "mayHoldText"> {
    return this.#input;
  }

  get phase(): Phase {
    return this.#phase;
  }

  onOutput(bytes: Uint8Array): void {
    this.#line.push(bytes);
    this.#outputAt = this.#options.clock.monotonic();
    this.#unseenLooks = 0;
    this.#settling?.note();
    // The person has submitted their line.
    if (this.#phase === "prompt" && this.hasTyped && bytes.includes(LINE_FEED))
      this.#enterPhase("running", null);
    if (this.#phase === "drawing") this.#schedule(DRAWN_MS, () => this.#endDrawing());
    else if (this.#phase === "starting" && this.#settling !== null) return;
    else if (this.#patterns.length > 0 || this.#continuation !== null) this.#lookSoon();
    else if (this.#phase === "running") this.#lookForUntaken();
  }

  onMark(mark: PromptMark): void {
    const { kind } = mark;
    if (kind === "property" && readProperty(mark, "Refused") === "1") this.noteRefused();
    if (kind === "prompt") {
      this.#line.cut();
      this.#isMarkedDrawn = true;
      this.#enterPhase("drawing", null);
      this.#schedule(DRAWN_MS, () => this.#endDrawing());
    } else if (kind === "input") {
      // Scripts of the ripple schema print this mark when they are loaded, before the first prompt.
      if (this.#phase === "starting") return;
      this.#line.startHere();
      this.#enterPhase("prompt", null);
    } else if (kind === "continuation") {
      this.#line.cut();
      this.#enterPhase("continuation", null);
    } else if (kind === "executed") {
      this.#hasBegun = true;
      this.#enterPhase("running", null);
    }
  }

  /** Call before a line is typed, and when the person has pressed Enter at the prompt. */
  noteSubmitted(): void {
    this.submittedAt = this.#options.clock.monotonic();
    this.#hasBegun = this.holdsRefused = false;
    this.#enterPhase("running", null);
    this.#line.cut();
  }

  /** Call when a line that the program did not run is, or will be, in its editor. */
  noteRefused(): void {
    this.holdsRefused = true;
  }

  /** Call when Ctrl-C or Ctrl-D was pressed at the prompt; see `CancelKey`. */
  noteCancelKey(dropsLine: boolean): void {
    this.#cancelKey.note(this.#options.clock.monotonic(), dropsLine);
  }

  get isCancelling(): boolean {
    return this.#cancelKey.isOpen;
  }

  /** Returns whether the program waits for the next key after it, so that its output shows where it is. */
  settleCancelKey(): boolean {
    const now = this.#options.clock.monotonic();
    const isOver = this.#cancelKey.isOver(now, this.#outputAt, this.#options.isReading());
    if (isOver) this.#endCancelKey(this.#input.isEmpty);
    return isOver;
  }

  #endCancelKey(isEmpty: boolean): void {
    const droppedAt = this.#cancelKey.end(isEmpty);
    if (droppedAt === null) return;
    this.submittedAt = droppedAt;
    this.#hasBegun = this.holdsRefused = false;
  }

  end(): void {
    this.#enterPhase("ended", null);
  }

  /** The prompt ends at the cursor, unless a person has typed after it. */
  #endDrawing(): void {
    if (!this.hasTyped) this.#line.startHere();
    this.#enterPhase("prompt", null);
  }

  #settle(): void {
    if (this.#phase === "starting") this.#endDrawing();
  }

  get #patterns(): readonly string[] {
    const isFirst = this.#phase === "starting" && this.#firstDrawn !== null;
    return isFirst ? [...this.#drawn, this.#firstDrawn] : this.#drawn;
  }

  #lookForUntaken(since = this.#options.clock.monotonic()): void {
    if (!this.#marksBegin || this.#hasBegun) return;
    this.#schedule(UNTAKEN_MS, () => {
      const reading = this.#options.isReading();
      const quietMs = this.#options.clock.monotonic() - since;
      const isUntaken = reading === true || (reading === undefined && quietMs >= UNSEEN_UNTAKEN_MS);
      if (isUntaken) this.#enterPhase("continuation", null);
      else this.#lookForUntaken(since);
    });
  }

  #lookSoon(): void {
    // Only typed keys take a program away from its prompt, so other output leaves it there.
    if (this.#phase === "prompt" && !this.hasTyped) return;
    if (this.#phase === "prompt" && this.promptLine !== null) this.#enterPhase("running", null);
    this.#schedule(Math.max(QUIET_MS, this.#options.program.output.post_prompt_settle_ms), () =>
      this.#look(),
    );
  }

  #look(): void {
    const isStanding = (this.#phase === "prompt" || this.#phase === "drawing") && this.promptLine === null;
    if (isStanding && this.#isMarkedDrawn) return;
    const reading = this.#options.isReading();
    this.#unseenLooks = reading === undefined ? this.#unseenLooks + 1 : 0;
    const line = this.#line.text;
    if (line === "") return;
    const quietMs = this.#options.clock.monotonic() - this.#outputAt;
    const isBelieved = reading === true || (reading === undefined && quietMs >= UNSEEN_QUIET_MS);
    const found = this.#patterns.map((pattern) => matchPrompt(pattern, line, isBelieved));
    const prompt = found.find((match) => match !== null);
    const isRest =
      prompt === undefined && this.#continuation !== null && matchPrompt(this.#continuation, line) !== null;
    if (prompt === undefined && !isRest) {
      if (reading === undefined && !isBelieved) this.#schedule(UNSEEN_QUIET_MS - quietMs, () => this.#look());
      return;
    }
    const isPassing = reading === undefined && this.#unseenLooks < UNSEEN_LOOKS;
    if (reading === false || isPassing || this.#options.owner.isElsewhere)
      this.#schedule(RETRY_MS, () => this.#look());
    else this.#enterPhase(isRest ? "continuation" : "prompt", line.slice(prompt?.from ?? 0), line.length);
  }

  #enterPhase(phase: Phase, line: string | null, end = 0): void {
    if (this.#phase === "ended") return;
    // The program begins another line.
    if (phase !== "prompt") this.#endCancelKey(true);
    this.#stopTimer();
    this.#settling?.stop();
    this.promptLine = line;
    if (phase === "running") this.#isMarkedDrawn = false;
    if (phase === "prompt") {
      this.#input.begin(end);
      this.promptAt = this.#options.clock.monotonic();
      this.#options.owner.learn();
    }
    const hasChanged = this.#phase !== phase;
    this.#phase = phase;
    if (hasChanged) this.#options.onPhase(phase);
  }

  #schedule(ms: number, callback: () => void): void {
    this.#stopTimer();
    this.#stopTimer = this.#options.clock.after(ms, callback);
  }
}
