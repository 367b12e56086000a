/** One command from its first typed line to the prompt behind it: its output, line by line, and what the program says of its end. */
import { marksBegin } from "../../../adapter-format/program/launch-sections.js";
import type { ProgramFile } from "../../../adapter-format/program/program-file.js";
import type { OutputSize } from "../../../screen/output-text.js";
import { matches } from "../../../adapter-format/pattern.js";
import type { BracketedPaste } from "./bracketed-paste.js";
import { isMerged } from "./between-commands.js";
import { EndDoubt } from "./end-doubt.js";
import { EarlyOutput } from "./early-output.js";
import { EchoFilter } from "./echo-filter.js";
import { LateOutput } from "./late-output.js";
import { showsOnlyKeys } from "./escape-keys.js";
import type { PromptMark } from "../prompt/mark-parser.js";
import { joinOutputs } from "./join-outputs.js";
import { NO_OUTPUT, OutputCapture, type CapturedOutput } from "./output-capture.js";
import { matchPrompt } from "../prompt/prompt-pattern.js";

const LINE_FEED = 10;
/** A prompt is shorter; what is longer is output behind what only looked like the prompt of the program. */
const PROMPT_BYTES_MAX = 4096;

export interface CommandRunOptions {
  readonly id: string;
  readonly program: ProgramFile;
  readonly folder: string;
  readonly size: () => OutputSize;
  readonly startedAt: number;
  /** What was printed since the command before. */
  readonly takeBetween: () => string;
  readonly paste: Pick<BracketedPaste, "isOn">;
}

export class CommandRun {
  readonly id: string;
  readonly startedAt: number;
  readonly #options: CommandRunOptions;
  readonly #echo: EchoFilter;
  readonly #outputs: CapturedOutput[] = [];
  /** The outputs until now as one; null: not asked for since the last of them. */
  #collected: CapturedOutput | null = null;
  #capture: OutputCapture | null = null;
  #late = new LateOutput();
  /** What comes before the program marks the begin: the echo, and what it says of a line that it does not begin. */
  #early: EarlyOutput | null = null;
  #isEscape = false;
  /** How often the keys were pressed that bring the program back to its prompt. */
  #presses = 0;
  #isExecuted = false;
  #isFinished = false;
  /** A line editor was at work where the output begins. */
  #isEditing = false;
  #isAtRest = false;
  /** What came behind the mark of a prompt that no mark of an end came before; null: there is no such prompt. */
  #behindPrompt: Uint8Array[] | null = null;
  #isUntold = false;
  /** The line that was typed last, what it goes on with since the program's own prompt, and whether it has ended on the terminal. */
  #line = "";
  #statement = "";
  #isLineOver = false;
  #exitCode: number | null = null;
  /** The program asked for the rest of the command, and was brought back to its prompt. */
  isIncomplete = false;
  /** The program has begun nothing, and has said why. */
  isRefused = false;
  isInterrupted = false;
  /** The program has marked the end with what is no exit code. */
  isCodeLost = false;
  /** A person has typed while the line that was typed last ran: where the terminal echoes it, that stands in the output. */
  #isTypedInto = false;
  #endDoubt = new EndDoubt();
  #outOfBand: string | null = null;

  constructor(options: CommandRunOptions) {
    this.#options = options;
    this.id = options.id;
    this.startedAt = options.startedAt;
    const { output, prompt, init } = options.program;
    const primary = prompt.primary ?? init.marker?.primary ?? null;
    const strategy = output.strip_input_echo ? output.input_echo_strategy : "none";
    this.#echo = new EchoFilter(
      strategy,
      (text) => primary !== null && matchPrompt(primary, text, true) !== null,
    );
  }

  /** Whether a line was typed whose end has not been seen. */
  get isOpen(): boolean {
    return this.#capture !== null;
  }

  /** The program has said that the line's command ended. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** The program marks a prompt again behind the line, and has marked no end of it: it may be one that a command has drawn. */
  get mayBeOver(): boolean {
    return this.#behindPrompt !== null && !this.#isFinished && !this.#isEscape;
  }

  /** The line was over without a mark of its end. */
  get isUntold(): boolean {
    return this.#isUntold;
  }

  /** Call where `mayBeOver`, once it is known that the program stands at that prompt. */
  noteUntold(): void {
    this.#isUntold = true;
    this.#behindPrompt = null;
  }

  /** What was printed, and belongs to no command. */
  get outOfBand(): string {
    return this.#outOfBand ?? "";
  }

  noteOutside(text: string): void {
    this.#outOfBand = [this.outOfBand, text].filter((part) => part !== "").join("\n");
  }

  /** What was typed last are keys that bring the program back to its prompt. */
  get isEscape(): boolean {
    return this.#isEscape;
  }

  /** Null also where the command did not run to its end: the code is that of something else. */
  get exitCode(): number | null {
    return this.isIncomplete ? null : this.#exitCode;
  }

  /** The program's file wants colours kept. */
  get keepsStyles(): boolean {
    return !this.#options.program.output.strip_ansi;
  }

  /** What the line that was typed last has printed so far. */
  peek(): CapturedOutput {
    return this.#capture ? this.#qualify(this.#capture.peek()) : (this.#outputs.at(-1) ?? NO_OUTPUT);
  }

  /** Call just before a line is typed. `isEscape`: keys that bring the program back to its prompt. */
  begin(line: string, isEscape = false): void {
    this.#isEscape = isEscape;
    this.#presses = 0;
    this.#statement = this.#isAtRest ? `${this.#statement}\n${line}` : line;
    this.#line = line;
    this.#listen();
  }

  /** Call with each time that the keys of an escape go in. */
  notePressed(): void {
    this.#presses += 1;
  }

  #listen(): void {
    const { id, folder, size, program } = this.#options;
    this.#isLineOver = false;
    this.#late = new LateOutput();
    this.#endDoubt = new EndDoubt();
    const bareLineFeeds = program.output.line_ending === "\n";
    const name = this.#outputs.length === 0 ? id : `${id}-${this.#outputs.length}`;
    this.#isEditing = this.#options.paste.isOn;
    const place = { size, folder, bareLineFeeds, isEditing: () => this.#isEditing };
    this.#capture = new OutputCapture({ ...place, name });
    this.#early =
      this.#needsBegin && !this.#isEscape
        ? new EarlyOutput(this.#line, { ...place, name: `${name}-early` })
        : null;
    this.#isExecuted = this.#isFinished = this.#isAtRest = this.#isUntold = this.#isTypedInto = false;
    this.#behindPrompt = null;
    if (this.#outOfBand === null) this.#takeBetween(this.#capture);
    if (this.#options.program.output.input_echo_strategy !== "osc_boundaries") this.#echo.expect(this.#line);
  }

  /** Until the typed line has ended, marks come only with a prompt that is drawn again, as after another size of the terminal. */
  get isRedrawn(): boolean {
    const { finished_in_prompt: isInPrompt = false } = this.#options.program.prompt.shell_integration ?? {};
    return isInPrompt && this.#capture !== null && !this.#isEscape && !this.#isLineOver;
  }

  /** A mark of a prompt that is drawn again: behind it the echo begins anew. */
  restart({ kind }: PromptMark): void {
    if (kind === "input") this.#listen();
  }

  /** Just before the first line. */
  #takeBetween(capture: OutputCapture): void {
    const text = this.#options.takeBetween();
    const belongs = isMerged(this.#options.program.output.async_interleave);
    this.#outOfBand = belongs ? "" : text;
    if (belongs && text !== "") capture.push(Buffer.from(`${text}\n`.replaceAll("\n", "\r\n")));
  }

  /** `isLate`: it came behind the prompt, while the output settles. */
  onOutput(bytes: Uint8Array, isLate: boolean): void {
    if (!this.#capture) return;
    this.#endDoubt.onOutput();
    this.#isLineOver ||= bytes.includes(LINE_FEED);
    const { output } = this.#options.program;
    if (isLate && output.post_prompt_settle_ms > 0) this.#capture.pushLate(this.#late.push(bytes));
    if (this.#isFinished || this.#isAtRest) return;
    if (this.#behindPrompt !== null) this.#hold(bytes);
    else if (this.#needsBegin) this.#takeMarked(bytes);
    else this.#capture.push(output.strip_input_echo ? this.#echo.push(bytes) : bytes);
  }

  #takeMarked(bytes: Uint8Array): void {
    (this.#isExecuted ? this.#capture : this.#early)?.push(bytes);
  }

  #hold(bytes: Uint8Array): void {
    this.#behindPrompt?.push(bytes.slice());
    const held = this.#behindPrompt?.reduce((sum, { length }) => sum + length, 0) ?? 0;
    if (held > PROMPT_BYTES_MAX) this.#giveBack();
  }

  /** The line is not over: it was no prompt of the program. */
  #giveBack(): void {
    const held = this.#behindPrompt ?? [];
    this.#behindPrompt = null;
    for (const bytes of held) this.#takeMarked(bytes);
  }

  get #needsBegin(): boolean {
    const { output, init } = this.#options.program;
    return marksBegin(init) && output.input_echo_strategy === "osc_boundaries" && output.strip_input_echo;
  }

  onMark({ kind, values }: PromptMark): void {
    this.#endDoubt.onMark({ kind, values });
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
    this.#isFinished = true;
    if (this.#isEscape || this.#options.program.capabilities.exit_code !== true) return;
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

  /** Call at the prompt behind the line. `prompt`: as it is drawn, in so far as it was taken for output. */
  endLine(prompt: string): void {
    if (!this.#capture) return;
    this.#capture.push(this.#echo.end());
    this.#capture.pushLate(this.#late.end());
    const output = this.#qualify(this.#capture.end(this.#isFinished || this.#isAtRest ? "" : prompt));
    const early = this.#early?.end() ?? null;
    const isUnbegun = early !== null && !this.#isExecuted && (this.#isFinished || this.#isUntold);
    const { continuation_escape_output: said } = this.#options.program.prompt;
    const isKeys = this.#isEscape && showsOnlyKeys(output.text, this.#presses, said);
    if (!isKeys) this.#outputs.push(isUnbegun ? early : output);
    this.#collected = null;
    // The code is that of the command before.
    if (isUnbegun || this.#isUntold) this.#exitCode = null;
    if (isUnbegun && early.text.trim() !== "") this.isRefused = true;
    this.#capture = this.#early = null;
  }

  /** Call when a person types while it runs. */
  noteTyped(): void {
    this.#isTypedInto = true;
  }

  /** What may hold an echo, or what a line editor has drawn, is not exact. */
  #qualify(output: CapturedOutput): CapturedOutput {
    const isDoubted = this.#isTypedInto || this.#endDoubt.isOpen || this.#late.mayHoldDrawing;
    return { ...output, isExact: output.isExact && !isDoubted && !this.#echo.hasGivenBack };
  }

  /** What was typed until now only prepared the command: its output is none of it. */
  forget(): void {
    this.#outputs.length = 0;
    this.#collected = null;
    this.#exitCode = null;
  }

  /** Everything that was seen, one line after the other. */
  collect(): CapturedOutput {
    this.#collected ??= joinOutputs(this.#outputs, { folder: this.#options.folder, name: `${this.id}-all` });
    return this.#collected;
  }
}
