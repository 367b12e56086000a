/**
 * The user's terminal in a session with a tool that is used over a protocol: it shows the tool's output as lines, and has an input line
 * for the next task or for the answer to a prompt.
 */
import type { Clock } from "../../../model/clock.js";
import type { PromptId, SessionId } from "../../../model/ids.js";
import type { PromptEvent } from "../../../model/prompt.js";
import type { Rejection } from "../../../model/answer/rejection.js";
import type { TerminalExit } from "../../process/terminal.js";
import { toRawLines } from "../host/host-output.js";
import type { HostHooks } from "../host/host-hooks.js";
import type { HostTerminal } from "../host/host-terminal.js";
import { LineEditor, type LineKind } from "./line-editor.js";

/** A prompt takes keys after such a pause: keys that were meant for something else must not answer it. */
const PAUSE_MS = 400;

const ESC = "\u001b";
const CTRL_C = /\u0003/g;
const CTRL_D = "\u0004";
const CTRL_Z = "\u001a";

export interface LineTool {
  /** Resolves when it takes its first task. */
  readonly ready: Promise<void>;
  readonly exited: Promise<TerminalExit>;
  /** The oldest open prompt, which the person here can answer. */
  readonly currentPrompt: PromptEvent | null;
  answerHere(promptId: PromptId, value: string): Rejection | null;
  /** Calls `listener` when a prompt came or went. */
  onPromptChange(listener: () => void): void;
  readStream(): AsyncIterable<Uint8Array>;
  cancel(): void;
  terminateSession(sessionId: SessionId): Promise<void>;
}

/** What a session of either kind is given. */
export interface LineSessionOptions<Tool extends LineTool> {
  readonly tool: Tool;
  readonly host: HostTerminal;
  readonly sessionId: SessionId;
  readonly clock: Clock;
  /** Called when a person typed. */
  readonly onTyped: () => void;
}

export interface LineTerminalOptions
  extends LineSessionOptions<LineTool>, Pick<HostHooks, "onInputEnd" | "onEndSignal" | "onOutputLost"> {
  /** Whether a person answers here. */
  readonly isAnsweredHere: boolean;
  /** Whether the tool's output is shown. */
  readonly isShown: boolean;
  /** Puts the input line and notes on the terminal. */
  readonly say: (text: string) => void;
  readonly onTask: (text: string) => void;
  /** Called with input that nobody types. */
  readonly onPipedInput: (bytes: Uint8Array) => void;
  /** Called for each Ctrl-C, and for Esc while no task is written. */
  readonly onInterrupt: () => void;
  /** Called for Ctrl-D where nothing is written. */
  readonly onEndKey: () => void;
}

export class LineTerminal {
  readonly #options: LineTerminalOptions;
  readonly #editor: LineEditor;
  #promptId: PromptId | null = null;
  /** When the prompt was shown, or the last key came without a pause since. */
  #busyAt = 0;
  #isTaskWanted = false;

  constructor(options: LineTerminalOptions) {
    this.#options = options;
    this.#editor = new LineEditor({
      columns: () => options.host.size.cols,
      write: options.say,
      onLine: (kind, text) => this.#onLine(kind, text),
      onInterrupt: options.onInterrupt,
      onEnd: () => {
        options.onEndKey();
        this.#refresh();
      },
    });
  }

  /** Resolves when the terminal is taken over. */
  async open(): Promise<void> {
    const { host, tool, onPipedInput } = this.#options;
    await host.open({
      ...this.#options,
      onInput: (bytes) => (host.isTerminal ? this.#onKeys(bytes) : onPipedInput(bytes)),
      onResize: () => this.#editor.print(""),
      onPassedSignal: () => undefined,
      onStopSignal: () => this.#suspend(),
      onContinued: () => undefined,
    });
    tool.onPromptChange(() => this.#refresh());
    this.#refresh();
  }

  /** Resolves when the tool has no more output. */
  async showOutput(): Promise<void> {
    const { host, tool, isShown, isAnsweredHere } = this.#options;
    for await (const chunk of tool.readStream()) {
      if (!isShown) continue;
      if (isAnsweredHere && host.isWindow) this.#editor.print(Buffer.from(chunk).toString());
      else await host.write(host.isWindow ? toRawLines(chunk) : chunk);
    }
  }

  /** Whether the next task may be written now. */
  setTaskWanted(isWanted: boolean): void {
    this.#isTaskWanted = isWanted;
    this.#refresh();
  }

  note(text: string): void {
    this.#editor.printNote(text);
  }

  /** Resolves when all is written. */
  end(): Promise<void> {
    this.#editor.end();
    return this.#options.host.flush();
  }

  #onKeys(bytes: Uint8Array): void {
    const { clock, isAnsweredHere, onTyped, onInterrupt, onEndKey } = this.#options;
    const keys = Buffer.from(bytes).toString("latin1");
    if (keys === CTRL_Z) {
      this.#suspend();
      return;
    }
    if (isAnsweredHere) onTyped();
    const interrupts = keys === ESC ? 1 : (keys.match(CTRL_C)?.length ?? 0);
    const { shownKind } = this.#editor;
    const now = clock.monotonic();
    if (shownKind === "task") this.#editor.take(bytes);
    else if (interrupts > 0) for (let times = 0; times < interrupts; times += 1) onInterrupt();
    else if (shownKind === null || now - this.#busyAt < PAUSE_MS) {
      this.#busyAt = now;
      this.#editor.keepForTask(bytes);
      if (keys.includes(CTRL_D)) onEndKey();
    } else this.#editor.take(bytes);
  }

  #onLine(kind: LineKind, text: string): void {
    if (kind === "answer") this.#answer(text);
    else if (text.trim() !== "") this.#options.onTask(text);
    this.#refresh();
  }

  #answer(value: string): void {
    const { tool, clock } = this.#options;
    const refused = this.#promptId && tool.answerHere(this.#promptId, value);
    if (!refused) return;
    this.#editor.printNote(refused.text);
    // A key that was already on its way cannot be a reaction to what was shown just now.
    if (refused.code === "hidden") this.#busyAt = clock.monotonic();
  }

  /** The cursor's place is unknown afterwards, so the line is taken away before and drawn again after. */
  #suspend(): void {
    this.#editor.hide();
    void this.#options.host.suspend().then(() => this.#refresh());
  }

  #refresh(): void {
    const { tool, clock, isAnsweredHere } = this.#options;
    const promptId = (isAnsweredHere && tool.currentPrompt?.promptId) || null;
    if (promptId !== this.#promptId) {
      this.#editor.hide();
      this.#busyAt = clock.monotonic();
    }
    this.#promptId = promptId;
    if (promptId !== null) this.#editor.show("answer");
    else if (this.#isTaskWanted) this.#editor.show("task");
    else this.#editor.hide();
  }
}
