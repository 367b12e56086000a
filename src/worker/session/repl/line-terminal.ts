/** The user's terminal in a session over a protocol: it shows the tool's output, and has an input line for a task or an answer. */
import type { Clock } from "../../../model/clock.js";
import type { PromptId, SessionId } from "../../../model/ids.js";
import type { PromptEvent } from "../../../model/prompt.js";
import type { Refusal } from "../../../model/answer/refusal.js";
import type { TerminalExit } from "../../process/terminal.js";
import { toRawLines } from "../host/host-output.js";
import type { HostHooks } from "../host/host-hooks.js";
import type { HostTerminal } from "../host/host-terminal.js";
import { LineEditor, type LineKind } from "./line-editor.js";

/** A prompt accepts keys only after this pause, because earlier keys were meant for something else. */
const PAUSE_MS = 400;

const ESC = "\u001b";
const CTRL_C = /\u0003/g;
const CTRL_D = "\u0004";
const CTRL_Z = "\u001a";

export interface LineTool {
  readonly ready: Promise<void>;
  readonly exited: Promise<TerminalExit>;
  /** The oldest open prompt that can be answered here. */
  readonly currentPrompt: PromptEvent | null;
  answerHere(promptId: PromptId, value: string): Refusal | null;
  onPromptChange(listener: () => void): void;
  readStream(): AsyncIterable<Uint8Array>;
  cancel(): void;
  terminateSession(sessionId: SessionId): Promise<void>;
}

export interface LineSessionOptions<Tool extends LineTool> {
  readonly tool: Tool;
  readonly host: HostTerminal;
  readonly sessionId: SessionId;
  readonly clock: Clock;
  readonly onTyped: () => void;
}

export interface LineTerminalOptions
  extends LineSessionOptions<LineTool>, Pick<HostHooks, "onInputEnd" | "onEndSignal" | "onOutputLost"> {
  readonly isAnsweredHere: boolean;
  readonly takesTasks: boolean;
  readonly isShown: boolean;
  readonly say: (text: string) => void;
  readonly onTask: (text: string) => void;
  readonly onPipedInput: (bytes: Uint8Array) => void;
  /** Called for each Ctrl-C; for Esc at a question and, in a session that takes tasks, during a turn. */
  readonly onInterrupt: () => void;
  readonly onEndKey: () => void;
}

export class LineTerminal {
  readonly #options: LineTerminalOptions;
  readonly #editor: LineEditor;
  #promptId: PromptId | null = null;
  /** When the prompt was shown, or the last key came too soon after it. */
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

  async showOutput(): Promise<void> {
    const { host, tool, isShown, isAnsweredHere } = this.#options;
    for await (const chunk of tool.readStream()) {
      if (!isShown) continue;
      if (isAnsweredHere && host.isWindow) this.#editor.print(Buffer.from(chunk).toString());
      else await host.write(host.isWindow ? toRawLines(chunk) : chunk);
    }
  }

  setTaskWanted(isWanted: boolean): void {
    this.#isTaskWanted = isWanted;
    this.#refresh();
  }

  note(text: string): void {
    this.#editor.printNote(text);
  }

  end(): Promise<void> {
    this.#editor.end();
    return this.#options.host.flush();
  }

  #onKeys(bytes: Uint8Array): void {
    const { clock, isAnsweredHere, takesTasks, onTyped, onInterrupt, onEndKey } = this.#options;
    const keys = Buffer.from(bytes).toString("latin1");
    if (keys === CTRL_Z) {
      this.#suspend();
      return;
    }
    if (isAnsweredHere) onTyped();
    const { shownKind } = this.#editor;
    // Without tasks the whole run is one turn, which a stray Esc must not end.
    if (keys === ESC && !takesTasks && shownKind === null) return;
    const interrupts = keys === ESC ? 1 : (keys.match(CTRL_C)?.length ?? 0);
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
    // A key that was already on its way cannot be a reaction to the new text.
    if (refused.code === "hidden") this.#busyAt = clock.monotonic();
  }

  /** The cursor may be anywhere afterwards, so the line is hidden before and drawn again after. */
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
