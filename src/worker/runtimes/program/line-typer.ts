/** Types the lines of a command into a program, and waits for the prompt behind each of them. */
import type { Clock } from "../../../model/clock.js";
import type { ProgramFile } from "../../adapter-format/program/program-file.js";
import { findHalt, writeUntilHalt } from "./halt.js";
import type { BlockFile } from "./input/block-file.js";
import type { CommandRun } from "./output/command-run.js";
import type { ProgramPort } from "./program-port.js";
import type { ChangedPrompt } from "./prompt/changed-prompt.js";
import type { PromptGate } from "./prompt/prompt-gate.js";
import type { PromptWatch } from "./prompt/prompt-watch.js";

/** Wakes whoever waits for the next mark or change of phase. */
export class Changes {
  readonly #waiting = new Set<() => void>();

  notify(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const callback of waiting) callback();
  }

  once(callback: () => void): void {
    this.#waiting.add(callback);
  }

  wait(): Promise<void> {
    return new Promise((resolve) => this.once(resolve));
  }
}

export interface LineTyperOptions {
  readonly program: ProgramFile;
  readonly port: ProgramPort;
  readonly clock: Clock;
  readonly watch: PromptWatch;
  readonly changes: Changes;
  readonly gate: PromptGate;
  readonly changed: ChangedPrompt;
  /** Called just before a line of the command is typed. */
  readonly onTyping: (run: CommandRun) => void;
}

export interface TypingOrder {
  /** The command may go on with this line where its earlier ones left the program. */
  readonly isRest: boolean;
  /** What the line has the program read, or null. */
  readonly file: BlockFile | null;
  readonly timeoutMs: number;
  readonly halt: AbortSignal;
}

/** With `quiesce`: how long nothing may come behind a prompt. */
const QUIET_MS = 100;
/** Output that never stops keeps no command from its end for longer. */
const QUIET_LIMIT_MS = 5000;

/**
 * A program may lose an interrupt that comes after its prompt and before it reads: psql, while rows are copied in. One that has shown no
 * prompt within this time, and is seen to read, has lost it.
 */
const LOST_MS = 500;
/** It is given so often again. */
const AGAIN_MAX = 3;

/**
 * A shell marks no end where it does not run a line at all, as one of whose `!` it knows nothing, and where somebody has taken away what
 * marks it. It stands at its prompt then, edits the next line itself, and is quiet for so long.
 */
const UNTOLD_MS = 500;
const LOOK_AGAIN_MS = 50;
const PART_MAY_HAVE_RUN = "what of it was complete may have run";

export class LineTyper {
  readonly #options: LineTyperOptions;
  #hasFinishMarks = false;
  #outputAt = 0;

  constructor(options: LineTyperOptions) {
    this.#options = options;
  }

  get lineEnding(): string {
    const { input, process } = this.#options.program;
    return input.line_ending ?? process.line_ending;
  }

  noteOutput(): void {
    this.#outputAt = this.#options.clock.monotonic();
  }

  /** The program reports when a command ends. */
  noteFinishMark(): void {
    this.#hasFinishMarks = true;
  }

  /**
   * Types one line of the command once that is possible; resolves with why it was not typed, or null. What the person types meanwhile
   * comes behind the line.
   */
  async type(
    run: CommandRun,
    line: string,
    { isRest, file, timeoutMs, halt }: TypingOrder,
  ): Promise<string | null> {
    const { clock, gate, changes, port } = this.#options;
    const end = clock.monotonic() + timeoutMs;
    for (;;) {
      const leftMs = end - clock.monotonic();
      const busy = await gate.waitUntilFree(leftMs, (wake) => changes.once(wake), { halt, isRest });
      if (busy !== null) return busy;
      const problem = await port.turn(
        async () =>
          (await gate.check(isRest)) ??
          findHalt(halt) ??
          file?.write() ??
          (await this.#typeNow(run, line, halt)),
      );
      // Otherwise somebody was quicker.
      if (problem === null || halt.aborted || file?.hasFailed === true) return problem;
    }
  }

  async #typeNow(run: CommandRun, line: string, halt: AbortSignal): Promise<null> {
    const { port, program, watch, changed, onTyping } = this.#options;
    const { clear_line: clear, chunk_delay_ms: delay } = program.input;
    port.hold();
    try {
      // A line editor may take the keys for text: zsh does, where the person's EDITOR has it edit as vi.
      const before = watch.standing.isEmpty ? "" : (clear ?? "");
      onTyping(run);
      run.begin(line);
      watch.noteSubmitted();
      changed.clear();
      const bytes = Buffer.from(`${before}${line}${this.lineEnding}`);
      const written = await writeUntilHalt(port, bytes, halt);
      if (written < bytes.length) run.isIncomplete = true;
    } finally {
      port.release();
    }
    if (delay > 0) await this.#pause(delay);
    return null;
  }

  /** Resolves at the prompt behind the line that was typed last, or when the program has ended. */
  async awaitPrompt(run: CommandRun): Promise<void> {
    while (!this.#isLineOver(run)) {
      const isEndSeen = run.isFinished && !run.isEscape;
      if (isEndSeen && this.#options.changed.look()) break;
      if (isEndSeen) await this.#waitForChange(LOOK_AGAIN_MS);
      else if (run.mayBeOver && (await this.#isAtPrompt())) run.noteUntold();
      else await this.#waitForChange(run.mayBeOver ? LOOK_AGAIN_MS : Infinity);
    }
    await this.#settle();
    run.endLine((this.#options.watch.promptLine ?? "").replace(/\p{Cc}/gu, ""));
  }

  /** Whether it is the program that waits at the marked prompt: what it runs has a terminal that the kernel edits the line of. */
  async #isAtPrompt(): Promise<boolean> {
    const { watch, clock, gate, port } = this.#options;
    const isQuiet = clock.monotonic() - this.#outputAt >= UNTOLD_MS;
    if (
      !isQuiet ||
      watch.phase !== "prompt" ||
      !watch.standing.isEmpty ||
      port.findReaders().blocked === false
    )
      return false;
    if ((await port.readTty()).canonical !== false || (await gate.check()) !== null) return false;
    return clock.monotonic() - this.#outputAt >= UNTOLD_MS;
  }

  /** A drawn prompt was found only once its output had settled. */
  async #settle(): Promise<void> {
    const { program, watch, clock } = this.#options;
    const { post_prompt_settle_ms: settleMs, async_interleave: between } = program.output;
    if (watch.promptLine === null && settleMs > 0) await this.#pause(settleMs);
    if (between.strategy !== "quiesce") return;
    const quietMs = Math.max(settleMs, QUIET_MS);
    const end = clock.monotonic() + QUIET_LIMIT_MS;
    for (;;) {
      const now = clock.monotonic();
      const leftMs = Math.min(end, this.#outputAt + quietMs) - now;
      if (leftMs <= 0 || watch.phase !== "prompt") return;
      await this.#pause(leftMs);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(ms, resolve));
  }

  #isLineOver(run: CommandRun): boolean {
    const { phase, promptLine } = this.#options.watch;
    if (phase === "ended" || phase === "continuation") return true;
    if (phase !== "prompt") return false;
    // A prompt without the mark of an end is one that was drawn again.
    return promptLine !== null || run.isFinished || run.isUntold || run.isEscape || !this.#hasFinishMarks;
  }

  /**
   * Brings the program back to its prompt where it asks for the rest of a command that has none, and takes a line out of its editor that
   * it has refused and put back there. Resolves with what has to be known of it, or an empty text.
   */
  async escape(run: CommandRun, lines: readonly string[], halt: AbortSignal): Promise<string> {
    await this.#bringBack(run, halt);
    if (this.#isUnfinished) return "it still asks for the rest; interrupt it";
    if ((run.isUntold || run.isCodeLost) && !run.isRefused) return "the program did not tell how it ended";
    if (run.isRefused) return "the program did not run it";
    // Text, other than a key, completes what it makes an error of, and the statements in front of that are run.
    const isByText = /^\P{Cc}/u.test(this.#options.program.prompt.continuation_escape ?? "");
    const hasSeveral = lines.some((line) => line.includes(";"));
    return run.isIncomplete && isByText && hasSeveral ? PART_MAY_HAVE_RUN : "";
  }

  async #bringBack(run: CommandRun, halt: AbortSignal): Promise<void> {
    const { program, watch, gate } = this.#options;
    const { prompt, signals } = program;
    if (this.#isAtRefused && watch.holdsRefused) return this.#dropRefused(run, halt);
    if (watch.phase !== "continuation") return;
    run.isIncomplete = true;
    // The keys would send, or drop, what somebody has begun there.
    if (gate.hasBegunRest) return;
    // Line by line: what brings it back from one unfinished thing begins another elsewhere.
    // Where the file names nothing, it is interrupted: a file of a program that ends at an interrupt names something.
    const isMarked = watch.promptLine === null;
    const keysWithout = isMarked ? [signals.interrupt] : [];
    const lines = prompt.continuation_escape?.match(/[^\r\n]*[\r\n]|[^\r\n]+/g) ?? keysWithout;
    for (const keys of lines) if (this.#isUnfinished) await this.#press(run, keys, halt);
  }

  /** Nobody has typed behind the refused line: an interrupt drops nothing of a person's. */
  get #isAtRefused(): boolean {
    const { watch } = this.#options;
    return watch.phase === "prompt" && !watch.hasTyped;
  }

  /** An interrupt that comes before the program reads only has it draw its prompt again, and it marks no end: the line still stands. */
  async #dropRefused(run: CommandRun, halt: AbortSignal): Promise<void> {
    const { program, watch } = this.#options;
    for (let left = AGAIN_MAX; left > 0 && this.#isAtRefused && !halt.aborted; left--) {
      await this.#press(run, program.signals.interrupt, halt);
      if (run.isFinished) return;
    }
    watch.noteRefused();
  }

  get #isUnfinished(): boolean {
    return this.#options.watch.phase === "continuation";
  }

  async #press(run: CommandRun, keys: string | null, halt: AbortSignal): Promise<void> {
    if (keys === null || halt.aborted) return;
    // What can be seen of the keys is echoed, and no output.
    const [shown = ""] = /^\P{Cc}*/u.exec(keys) ?? [];
    run.begin(shown, true);
    this.#options.watch.noteSubmitted();
    const { port, program } = this.#options;
    const write = (): Promise<unknown> => {
      run.notePressed();
      return port.terminal.write(Buffer.from(keys));
    };
    await write();
    const isInterrupt = keys === program.signals.interrupt;
    for (let left = AGAIN_MAX; isInterrupt && left > 0 && !(await this.#isOverWithin(run, LOST_MS)); left--)
      if (port.findReaders().blocked === true) await write();
    await this.awaitPrompt(run);
  }

  async #isOverWithin(run: CommandRun, ms: number): Promise<boolean> {
    const { clock } = this.#options;
    const end = clock.monotonic() + ms;
    while (!this.#isLineOver(run)) {
      const leftMs = end - clock.monotonic();
      if (leftMs <= 0) return false;
      await this.#waitForChange(leftMs);
    }
    return true;
  }

  /** Waits for the next mark or change of phase, but no longer than `ms`. */
  #waitForChange(ms: number): Promise<void> {
    const { clock, changes } = this.#options;
    if (ms === Infinity) return changes.wait();
    return new Promise<void>((resolve) => {
      const stop = clock.after(ms, resolve);
      changes.once(() => {
        stop();
        resolve();
      });
    });
  }
}
