import type { Clock } from "../../../model/clock.js";
import type { ProgramFile } from "../../adapter-format/program/program-file.js";
import { findHaltReason, writeUntilHalt } from "./halt.js";
import type { Changes } from "./changes.js";
import type { BlockFile } from "./input/block-file.js";
import type { CommandRun } from "./output/command-run.js";
import type { ProgramPort } from "./program-port.js";
import type { ChangedPrompt } from "./prompt/changed-prompt.js";
import type { PromptGate } from "./prompt/prompt-gate.js";
import type { PromptWatch } from "./prompt/prompt-watch.js";

export interface LineTyperOptions {
  readonly program: ProgramFile;
  readonly port: ProgramPort;
  readonly clock: Clock;
  readonly watch: PromptWatch;
  readonly changes: Changes;
  readonly gate: PromptGate;
  readonly changed: ChangedPrompt;
  readonly onTyping: (run: CommandRun) => void;
}

export interface TypingOrder {
  /** The line may also be typed where the program asks for the rest of the command. */
  readonly isRest: boolean;
  readonly file: BlockFile | null;
  readonly timeoutMs: number;
  readonly halt: AbortSignal;
  /** Why the line does not fit where the program is now, or null. */
  readonly findMisfit?: () => string | null;
}

/** With `quiesce`: how long the program must be silent after a prompt. */
const QUIET_MS = 100;
const QUIET_LIMIT_MS = 5000;

/**
 * A program may lose an interrupt that arrives between its prompt and its next read, as psql does while it copies rows. If no prompt
 * follows within this time and the program is reading, the interrupt is sent again.
 */
const LOST_MS = 500;
const AGAIN_MAX = 3;

/**
 * A shell marks no end for a line that it does not run, such as one with an unknown `!` event, or after its marks were removed. The line is
 * over if the shell is silent at its prompt for this long.
 */
const UNMARKED_MS = 500;
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

  noteFinishMark(): void {
    this.#hasFinishMarks = true;
  }

  /**
   * Types one line of the command once that is possible; resolves with why it was not typed, or null. Keys that the person types meanwhile
   * follow the line.
   */
  async type(
    run: CommandRun,
    line: string,
    { isRest, file, timeoutMs, halt, findMisfit = () => null }: TypingOrder,
  ): Promise<string | null> {
    const { clock, gate, port } = this.#options;
    const end = clock.monotonic() + timeoutMs;
    for (;;) {
      const leftMs = end - clock.monotonic();
      const busy = await gate.waitUntilFree(leftMs, { halt, isRest });
      if (busy !== null) return busy;
      const problem = await port.turn(
        async () =>
          (await gate.check(isRest)) ??
          findHaltReason(halt) ??
          findMisfit() ??
          file?.write() ??
          (await this.#typeNow(run, line, halt)),
      );
      // Something else was typed first, so wait again.
      const isFinal =
        problem === null || halt.aborted || file?.hasFailed === true || problem === findMisfit();
      if (isFinal) return problem;
    }
  }

  async #typeNow(run: CommandRun, line: string, halt: AbortSignal): Promise<null> {
    const { port, program, watch, changed, onTyping } = this.#options;
    const { clear_line: clear, chunk_delay_ms: delay } = program.input;
    port.hold();
    try {
      // Only where there is text: zsh with vi keys would insert the clearing keys as text.
      const before = watch.input.isEmpty ? "" : (clear ?? "");
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

  /** Resolves at the prompt after the line that was typed last, or when the program has ended. */
  async awaitPrompt(run: CommandRun): Promise<void> {
    while (!this.#isLineOver(run)) {
      const isEndSeen = run.isFinished && !run.isEscape;
      if (isEndSeen && this.#options.changed.look()) break;
      if (isEndSeen) await this.#options.changes.wait(LOOK_AGAIN_MS);
      else if (run.mayBeOver && (await this.#isAtPrompt())) run.noteUnmarkedEnd();
      else await this.#options.changes.wait(run.mayBeOver ? LOOK_AGAIN_MS : Infinity);
    }
    await this.#settle();
    run.endLine((this.#options.watch.promptLine ?? "").replace(/\p{Cc}/gu, ""));
  }

  /** Whether the program itself waits at the marked prompt. A child would leave the terminal in canonical mode. */
  async #isAtPrompt(): Promise<boolean> {
    const { watch, clock, gate, port } = this.#options;
    const isQuiet = clock.monotonic() - this.#outputAt >= UNMARKED_MS;
    if (!isQuiet || watch.phase !== "prompt" || !watch.input.isEmpty || port.findReaders().blocked === false)
      return false;
    if ((await port.readTty()).canonical !== false || (await gate.check()) !== null) return false;
    return clock.monotonic() - this.#outputAt >= UNMARKED_MS;
  }

  /** A prompt that was found on the screen has settled already. */
  async #settle(): Promise<void> {
    const { program, watch, clock } = this.#options;
    const { post_prompt_settle_ms: settleMs, async_interleave: interleave } = program.output;
    if (watch.promptLine === null && settleMs > 0) await this.#pause(settleMs);
    if (interleave.strategy !== "quiesce") return;
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
    // A prompt without the mark of an end was only redrawn.
    return (
      promptLine !== null || run.isFinished || run.hasUnmarkedEnd || run.isEscape || !this.#hasFinishMarks
    );
  }

  /**
   * Brings the program back to its prompt if it asks for the rest of a command, and removes a refused line from its editor. Resolves with a
   * note about what happened, or an empty text.
   */
  async escape(run: CommandRun, lines: readonly string[], halt: AbortSignal): Promise<string> {
    await this.#bringBack(run, halt);
    if (this.#isUnfinished) return "it still asks for the rest; interrupt it";
    if ((run.hasUnmarkedEnd || run.isCodeLost) && !run.isRefused)
      return "the program did not tell how it ended";
    if (run.isRefused) return "the program did not run it";
    // Escape text such as `;` ends the incomplete command with an error, but runs the statements before it.
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
    // The keys would submit or discard what a person has begun to type.
    if (gate.hasPartialRest) return;
    // Stop as soon as the prompt is back, because further keys would begin something new. Without keys in its file the program is
    // interrupted.
    const isMarked = watch.promptLine === null;
    const keysWithout = isMarked ? [signals.interrupt] : [];
    const lines = prompt.continuation_escape?.match(/[^\r\n]*[\r\n]|[^\r\n]+/g) ?? keysWithout;
    for (const keys of lines) if (this.#isUnfinished) await this.#press(run, keys, halt);
  }

  /** No person has typed after the refused line, so an interrupt discards no text of theirs. */
  get #isAtRefused(): boolean {
    const { watch } = this.#options;
    return watch.phase === "prompt" && !watch.hasTyped;
  }

  /** An interrupt that comes before the program reads only redraws the prompt, without a mark, and the line remains. */
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
    // The visible part of the keys is echoed, and is not output.
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
      await this.#options.changes.wait(leftMs);
    }
    return true;
  }
}
