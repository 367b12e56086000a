/**
 * Runs one session in which a program gives the tasks, and people only answer: the user's terminal shows what the tool does, keys
 * answer its prompts, Ctrl-C ends it.
 */
import type { Clock } from "../../../model/clock.js";
import type { SessionId } from "../../../model/ids.js";
import type { TerminalExit } from "../../process/terminal.js";
import { AnswerKeys, countInterrupts, type PromptingTool } from "./answer-keys.js";
import { toRawLines } from "../host/host-output.js";
import type { EndSignal } from "../host/host-hooks.js";
import { restoreTerminalAfter, type HostTerminal } from "../host/host-terminal.js";
import { LineEditor } from "./line-editor.js";

const ESC = "\u001b";
const CTRL_Z = "\u001a";

/** A signal, or the fact that nobody reads our output any more, which would end a program by SIGPIPE. */
export type TaskEnder = EndSignal | "SIGPIPE";

export interface ExecSessionTool extends PromptingTool {
  /** Resolves when it takes its first task. */
  readonly ready: Promise<void>;
  readonly exited: Promise<TerminalExit>;
  readStream(): AsyncIterable<Uint8Array>;
  cancel(): void;
  /** Gives it no more tasks; resolves when it has ended. */
  finish(): Promise<TerminalExit>;
  terminateSession(sessionId: SessionId): Promise<void>;
}

export interface ExecSessionOptions<T> {
  readonly tool: ExecSessionTool;
  readonly host: HostTerminal;
  readonly sessionId: SessionId;
  readonly clock: Clock;
  /** Shows text to the person who answers here; null: nobody answers here. */
  readonly say: ((text: string) => void) | null;
  /** Whether the tool's text goes to standard output. */
  readonly isShown: boolean;
  /** Called when a person typed. */
  readonly onTyped: () => void;
  /** Gives the tasks; `stop` is aborted with the signal that ends the session. */
  readonly drive: (stop: AbortSignal) => Promise<T>;
}

export interface ExecSessionEnd<T> {
  readonly result: T;
  readonly exit: TerminalExit;
  /** What ended it early, or null. */
  readonly endedBy: TaskEnder | null;
}

/** Resolves when the tool has ended and the user's terminal is restored. Errors: those of `drive`. */
export function runExecSession<T>(options: ExecSessionOptions<T>): Promise<ExecSessionEnd<T>> {
  return restoreTerminalAfter(options.host, () => new ExecSession(options).run());
}

class ExecSession<T> {
  readonly #options: ExecSessionOptions<T>;
  readonly #stop = new AbortController();
  readonly #editor: LineEditor;
  readonly #answers: AnswerKeys;
  #endedBy: TaskEnder | null = null;
  #isReady = false;

  constructor(options: ExecSessionOptions<T>) {
    this.#options = options;
    this.#editor = new LineEditor({
      prompt: "answer › ",
      columns: () => options.host.size.cols,
      write: (text) => this.#say(text),
      onLine: (line) => this.#onLine(line),
      onInterrupt: () => this.#end("SIGINT"),
      onEnd: () => undefined,
    });
    const { tool, clock } = options;
    this.#answers = new AnswerKeys({ tool, clock, say: (text) => this.#editor.writeNote(text) });
  }

  async run(): Promise<ExecSessionEnd<T>> {
    const { host, tool, drive, sessionId } = this.#options;
    // Input on a pipe is left for the program that runs after us.
    if (!this.#hasKeys) host.pauseInput();
    await host.open({
      onInput: (bytes) => this.#onKeys(bytes),
      onInputEnd: () => undefined,
      onResize: () => this.#editor.redraw(),
      onEndSignal: (signal) => this.#end(signal),
      onPassedSignal: () => undefined,
      onStopSignal: () => this.#suspend(),
      onContinued: () => undefined,
      onOutputLost: () => this.#end(host.isWindow ? "SIGHUP" : "SIGPIPE"),
    });
    tool.ready.then(
      () => (this.#isReady = true),
      () => undefined,
    );
    const output = this.#showOutput();
    this.#answers.start(() => this.#refresh());
    try {
      const result = await drive(this.#stop.signal);
      const exit = await tool.finish();
      await output;
      return { result, exit, endedBy: this.#endedBy };
    } catch (error) {
      await tool.terminateSession(sessionId);
      throw error;
    } finally {
      this.#editor.end();
      await host.flush();
    }
  }

  get #hasKeys(): boolean {
    return this.#options.say !== null && this.#options.host.isTerminal;
  }

  async #showOutput(): Promise<void> {
    const { host, tool, isShown } = this.#options;
    for await (const chunk of tool.readStream()) {
      if (!isShown) continue;
      if (this.#hasKeys && host.isWindow) this.#editor.writeAbove(Buffer.from(chunk).toString());
      else await host.write(host.isWindow ? toRawLines(chunk) : chunk);
    }
  }

  #onKeys(bytes: Uint8Array): void {
    const { host, onTyped } = this.#options;
    if (!host.isTerminal) return;
    const keys = Buffer.from(bytes).toString("latin1");
    const inputMode = this.#hasKeys ? this.#answers.inputMode : null;
    if (keys === CTRL_Z) {
      this.#suspend();
      return;
    }
    if (inputMode !== null) onTyped();
    if (inputMode === "line") this.#editor.take(bytes);
    else if (countInterrupts(keys) > 0 || (inputMode === "key" && keys === ESC)) this.#onInterruptKeys(keys);
    else if (inputMode === "key") this.#answers.press(keys);
  }

  /** The cursor's place is unknown afterwards, so the line is removed before and drawn again after. */
  #suspend(): void {
    this.#editor.close();
    void this.#options.host.suspend().then(() => this.#refresh());
  }

  #onInterruptKeys(keys: string): void {
    for (let times = Math.max(1, countInterrupts(keys)); times > 0; times--) this.#end("SIGINT");
  }

  #onLine(line: string): void {
    this.#answers.take(line);
    this.#refresh();
  }

  /** Shows the input line when an answer needs text, and only then. */
  #refresh(): void {
    this.#editor.close();
    if (this.#hasKeys && this.#answers.inputMode === "line") this.#editor.open();
  }

  /**
   * The first time the turn is cancelled, and the tool ends after it. The second time, by another signal than Ctrl-C's, or during
   * the start: it ends at once.
   */
  #end(by: TaskEnder): void {
    const { tool, sessionId } = this.#options;
    const isFirst = this.#endedBy === null;
    this.#endedBy ??= by;
    this.#stop.abort(by);
    if (isFirst && by === "SIGINT" && this.#isReady) tool.cancel();
    else void tool.terminateSession(sessionId);
  }

  #say(text: string): void {
    this.#options.say?.(text);
  }
}
