/** One command from its first typed line to the prompt after it: its output, and how it ended. */
import { marksBegin } from "../../../adapter-format/program/launch-sections.js";
import type { ProgramFile } from "../../../adapter-format/program/program-file.js";
import type { OutputSize } from "../../../screen/output-text.js";
import { matches } from "../../../adapter-format/pattern.js";
import type { BracketedPaste } from "./bracketed-paste.js";
import { isMerged } from "./idle-output.js";
import { InexactEnd } from "./inexact-end.js";
import { EarlyOutput } from "./early-output.js";
import { EchoFilter, type EchoStrategy } from "./echo-filter.js";
import { LateOutput } from "./late-output.js";
import { showsOnlyKeys } from "./escape-keys.js";
import type { PromptMark } from "../prompt/mark-parser.js";
import { joinOutputs } from "./join-outputs.js";
import { NO_OUTPUT, OutputCapture, type CapturedOutput } from "./output-capture.js";
import { matchPrompt } from "../prompt/prompt-pattern.js";

const LINE_FEED = 10;
/** A prompt is shorter. Longer text is output after something that only looked like the program's prompt. */
const PROMPT_BYTES_MAX = 4096;

export interface CommandRunOptions {
  readonly id: string;
  readonly program: ProgramFile;
  readonly folder: string;
  readonly size: () => OutputSize;
  readonly startedAt: number;
  readonly takeIdleOutput: () => string;
  readonly paste: Pick<BracketedPaste, "isOn">;
}

export class CommandRun {
  readonly id: string;
  readonly startedAt: number;
  readonly #options: CommandRunOptions;
  readonly #echoStrategy: EchoStrategy;
  readonly #echo: EchoFilter;
  readonly #outputs: CapturedOutput[] = [];
  #collected: CapturedOutput | null = null;
  #capture: OutputCapture | null = null;
  #late = new LateOutput();
  /** Output before the mark of the begin: the echo, and an error message if the line is not run. */
  #early: EarlyOutput | null = null;
  /** The last typed text holds keys that bring the program back to its prompt. */
  isEscape = false;
  #presses = 0;
  #isExecuted = false;
  /** The program has marked the end of the line's command. */
  isFinished = false;
  /** A line editor was active where the output begins. */
  #isEditing = false;
  #isAtRest = false;
  /** Output after a marked prompt without the mark of an end before it; null: there is no such prompt. */
  #behindPrompt: Uint8Array[] | null = null;
  hasUnmarkedEnd = false;
  /** The last typed line; the whole statement since the program's own prompt; and whether the line has ended on the terminal. */
  #line = "";
  #statement = "";
  #isLineOver = false;
  #exitCode: number | null = null;
  /** The program asked for the rest of the command, and was brought back to its prompt. */
  isIncomplete = false;
  /** The program did not run the line, and printed why. */
  isRefused = false;
  isInterrupted = false;
  /** The program marked the end with something that is no exit code. */
  isCodeLost = false;
  /** A person typed while the line ran, so the output may contain the echo. */
  #isTypedInto = false;
  #inexactEnd = new InexactEnd();
  #outOfBand: string | null = null;

  constructor(options: CommandRunOptions) {
    this.#options = options;
    this.id = options.id;
    this.startedAt = options.startedAt;
    const { output, prompt, init } = options.program;
    const primary = prompt.primary ?? init.marker?.primary ?? null;
    this.#echoStrategy = output.strip_input_echo ? output.input_echo_strategy : "none";
    this.#echo = new EchoFilter(
      this.#echoStrategy,
      (text) => primary !== null && matchPrompt(primary, text, true) !== null,
    );
  }

  get isOpen(): boolean {
    return this.#capture !== null;
  }

  /** A prompt was marked without the mark of an end before it. A command may have drawn it. */
  get mayBeOver(): boolean {
    return this.#behindPrompt !== null && !this.isFinished && !this.isEscape;
  }

  noteUnmarkedEnd(): void {
    this.hasUnmarkedEnd = true;
    this.#behindPrompt = null;
  }

  get outOfBand(): string {
    return this.#outOfBand ?? "";
  }

  noteOutside(text: string): void {
    this.#outOfBand = [this.outOfBand, text].filter((part) => part !== "").join("\n");
  }

  /** Null also if the command did not complete: the code is that of something else. */
  get exitCode(): number | null {
    return this.isIncomplete ? null : this.#exitCode;
  }

  get keepsStyles(): boolean {
    return !this.#options.program.output.strip_ansi;
  }

  peek(): CapturedOutput {
    return this.#capture ? this.#qualify(this.#capture.peek()) : (this.#outputs.at(-1) ?? NO_OUTPUT);
  }

  /** Call just before a line is typed. `isEscape`: it holds keys that bring the program back to its prompt. */
  begin(line: string, isEscape = false): void {
    this.isEscape = isEscape;
    this.#presses = 0;
    this.#statement = this.#isAtRest ? `${this.#statement}\n${line}` : line;
    this.#line = line;
    this.#listen();
  }

  notePressed(): void {
    this.#presses += 1;
  }

  #listen(): void {
    const { id, folder, size, program } = this.#options;
    this.#isLineOver = false;
    this.#late = new LateOutput();
    this.#inexactEnd = new InexactEnd();
    const bareLineFeeds = program.output.line_ending === "\n";
    const name = this.#outputs.length === 0 ? id : `${id}-${this.#outputs.length}`;
    this.#isEditing = this.#options.paste.isOn;
    const place = { size, folder, bareLineFeeds, isEditing: () => this.#isEditing };
    this.#capture = new OutputCapture({ ...place, name });
    this.#early =
      this.#needsBegin && !this.isEscape
        ? new EarlyOutput(this.#line, { ...place, name: `${name}-early` })
        : null;
    this.#isExecuted = this.isFinished = this.#isAtRest = this.hasUnmarkedEnd = this.#isTypedInto = false;
    this.#behindPrompt = null;
    if (this.#outOfBand === null) this.#takeIdleOutput(this.#capture);
    const isInBytes =
      this.#echoStrategy === "deterministic_byte_match" || this.#echoStrategy === "fuzzy_byte_match";
    if (isInBytes) this.#echo.expect(this.#line);
  }

  /** Before the typed line has ended, marks come only from a redrawn prompt, as after a new size of the terminal. */
  get isRedrawn(): boolean {
    const { finished_in_prompt: isInPrompt = false } = this.#options.program.prompt.shell_integration ?? {};
    return isInPrompt && this.#capture !== null && !this.isEscape && !this.#isLineOver;
  }

  /** After the mark of a redrawn prompt, the echo begins again. */
  restart({ kind }: PromptMark): void {
    if (kind === "input") this.#listen();
  }

  #takeIdleOutput(capture: OutputCapture): void {
    const text = this.#options.takeIdleOutput();
    const belongs = isMerged(this.#options.program.output.async_interleave);
    this.#outOfBand = belongs ? "" : text;
    if (belongs && text !== "") capture.push(Buffer.from(`${text}\n`.replaceAll("\n", "\r\n")));
  }

  /** `isLate`: it came after the prompt, while the output settles. */
  onOutput(bytes: Uint8Array, isLate: boolean): void {
    if (!this.#capture) return;
    this.#inexactEnd.onOutput();
    this.#isLineOver ||= bytes.includes(LINE_FEED);
    const { output } = this.#options.program;
    if (isLate && output.post_prompt_settle_ms > 0) this.#capture.pushLate(this.#late.push(bytes));
    if (this.isFinished || this.#isAtRest) return;
    if (this.#behindPrompt !== null) this.#hold(bytes);
    else if (this.#needsBegin) this.#takeMarked(bytes);
    else this.#capture.push(this.#echo.push(bytes));
  }

  #takeMarked(bytes: Uint8Array): void {
    (this.#isExecuted ? this.#capture : this.#early)?.push(bytes);
  }

  #hold(bytes: Uint8Array): void {
    this.#behindPrompt?.push(bytes.slice());
    const held = this.#behindPrompt?.reduce((sum, { length }) => sum + length, 0) ?? 0;
    if (held > PROMPT_BYTES_MAX) this.#giveBack();
  }

  #giveBack(): void {
    const held = this.#behindPrompt ?? [];
    this.#behindPrompt = null;
    for (const bytes of held) this.#takeMarked(bytes);
  }

  get #needsBegin(): boolean {
    return marksBegin(this.#options.program.init) && this.#echoStrategy === "osc_boundaries";
  }

  onMark({ kind, values }: PromptMark): void {
    this.#inexactEnd.onMark({ kind, values });
    if (kind === "executed" || kind === "finished") this.#giveBack();
    if (kind === "executed") {
      this.#isExecuted = true;
      this.#isEditing = this.#options.paste.isOn;
    }
    if (kind === "prompt" && this.#needsBegin && (this.#isExecuted || this.#isLineOver)) {
      this.#giveBack();
      this.#behindPrompt = [];
    }
    // The prompt that asks for the rest is no output.
    if (kind === "continuation") this.#isAtRest = true;
    if (kind !== "finished" || !this.#capture) return;
    this.isFinished = true;
    if (this.isEscape || this.#options.program.capabilities.exit_code !== true) return;
    const code = this.#readExitCode(values[0]);
    this.#exitCode = this.isCodeLost ? null : (code ?? this.#exitCode);
  }

  #readExitCode(value: string | undefined): number | null {
    const { exit_words: words, no_exit_code: without } = this.#options.program.prompt.shell_integration ?? {};
    const isRepeated = without !== undefined && matches(without, this.#statement);
    if (value === undefined || isRepeated) return null;
    const code = words === undefined ? (/^-?\d+$/.test(value) ? Number(value) : NaN) : (words[value] ?? NaN);
    this.isCodeLost = !Number.isInteger(code);
    return this.isCodeLost ? null : code;
  }

  /** Call at the prompt after the line. `prompt`: the text of the prompt if it is part of the output, or empty. */
  endLine(prompt: string): void {
    if (!this.#capture) return;
    this.#capture.push(this.#echo.end());
    this.#capture.pushLate(this.#late.end());
    const output = this.#qualify(this.#capture.end(this.isFinished || this.#isAtRest ? "" : prompt));
    const early = this.#early?.end() ?? null;
    const isUnbegun = early !== null && !this.#isExecuted && (this.isFinished || this.hasUnmarkedEnd);
    const { continuation_escape_output: said } = this.#options.program.prompt;
    const isKeys = this.isEscape && showsOnlyKeys(output.text, this.#presses, said);
    if (!isKeys) this.#outputs.push(isUnbegun ? early : output);
    this.#collected = null;
    // Its exit code is that of the command before.
    if (isUnbegun || this.hasUnmarkedEnd) this.#exitCode = null;
    if (isUnbegun && early.text.trim() !== "") this.isRefused = true;
    this.#capture = this.#early = null;
  }

  noteTyped(): void {
    this.#isTypedInto = true;
  }

  /** Output that may contain an echo or drawings of a line editor is not exact. */
  #qualify(output: CapturedOutput): CapturedOutput {
    const isDoubted = this.#isTypedInto || this.#inexactEnd.isOpen || this.#late.mayHoldDrawing;
    return { ...output, isExact: output.isExact && !isDoubted && !this.#echo.isEchoMissing };
  }

  forget(): void {
    this.#outputs.length = 0;
    this.#collected = null;
    this.#exitCode = null;
  }

  collect(): CapturedOutput {
    this.#collected ??= joinOutputs(this.#outputs, { folder: this.#options.folder, name: `${this.id}-all` });
    return this.#collected;
  }
}
