/**
 * One session in which a program gives the tasks, and people only answer: the user's terminal shows what the tool does, keys answer
 * what it asks, Ctrl-C ends it.
 */
import type { Clock } from "../../model/clock.js";
import type { PromptId, SessionId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import type { Rejection } from "../../model/rejection.js";
import type { TerminalExit } from "../transport/terminal.js";
import type { EndSignal, HostTerminal } from "./host-terminal.js";
import { LineEditor } from "./line-editor.js";

/** A key that was meant for something else does not answer a question that has just come up. */
const HASTY_MS = 400;
/** As many choices as there are keys for them. */
const KEY_CHOICES_MAX = 9;

const ESC = "\u001b";
const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";

export interface TaskedTool {
  readonly exited: Promise<TerminalExit>;
  /** The question that has waited longest, and that keys answer. */
  readonly asking: PromptEvent | null;
  readStream(): AsyncIterable<Uint8Array>;
  cancel(): void;
  answerHere(promptId: PromptId, value: string): Rejection | null;
  /** Called when a question came or went. */
  onAsking(listener: () => void): void;
  /** It gets no more tasks; resolves when it has ended. */
  finish(): Promise<TerminalExit>;
  terminateSession(sessionId: SessionId): Promise<void>;
}

export interface TaskRunOptions<T> {
  readonly tool: TaskedTool;
  readonly host: HostTerminal;
  readonly sessionId: SessionId;
  readonly clock: Clock;
  /** Puts text where the person who answers here sees it; null: nobody answers here. */
  readonly say: ((text: string) => void) | null;
  /** What the tool shows goes to standard output. */
  readonly isShown: boolean;
  /** A person typed. */
  readonly onTyped: () => void;
  /** Gives the tasks; `stop` is aborted with the signal that ends all. */
  readonly drive: (stop: AbortSignal) => Promise<T>;
}

export interface TaskRunEnd<T> {
  readonly result: T;
  readonly exit: TerminalExit;
  /** What ended it early, or null. */
  readonly endedBy: EndSignal | null;
}

/** Resolves when the tool has ended and the user's terminal is as it was. Errors: those of `drive`. */
export async function runTasks<T>(options: TaskRunOptions<T>): Promise<TaskRunEnd<T>> {
  const run = new TaskRun(options);
  const restore = (): void => options.host.close();
  process.once("exit", restore);
  try {
    return await run.run();
  } finally {
    restore();
    process.off("exit", restore);
  }
}

class TaskRun<T> {
  readonly #options: TaskRunOptions<T>;
  readonly #stop = new AbortController();
  readonly #editor: LineEditor;
  #endedBy: EndSignal | null = null;
  #asked: PromptId | null = null;
  #askedAt = 0;

  constructor(options: TaskRunOptions<T>) {
    this.#options = options;
    this.#editor = new LineEditor({
      columns: () => options.host.size.cols,
      write: (text) => this.#say(text),
      onLine: (line) => this.#onLine(line),
      onInterrupt: () => this.#end("SIGINT"),
      onEnd: () => undefined,
    });
  }

  async run(): Promise<TaskRunEnd<T>> {
    const { host, tool, drive, sessionId } = this.#options;
    // What waits on a pipe is for whoever comes after us.
    if (!this.#hasKeys) host.pauseInput();
    await host.open({
      onInput: (bytes) => this.#onKeys(bytes),
      onInputEnd: () => undefined,
      onResize: () => undefined,
      onEndSignal: (signal) => this.#end(signal),
      onPassedSignal: () => undefined,
      onStopSignal: () => void host.suspend(),
      onContinued: () => undefined,
      onOutputLost: () => this.#end("SIGHUP"),
    });
    const shown = this.#show();
    tool.onAsking(() => this.#onAsking());
    try {
      const result = await drive(this.#stop.signal);
      const exit = await tool.finish();
      await shown;
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

  async #show(): Promise<void> {
    const { host, tool, isShown } = this.#options;
    for await (const chunk of tool.readStream()) {
      if (!isShown) continue;
      if (this.#hasKeys && host.isWindow) this.#editor.above(Buffer.from(chunk).toString());
      else await host.write(host.isWindow ? rawLines(chunk) : chunk);
    }
  }

  #onKeys(bytes: Uint8Array): void {
    const { host, onTyped, tool } = this.#options;
    if (!host.isTerminal) return;
    const keys = Buffer.from(bytes).toString("latin1");
    const { asking } = tool;
    if (keys === CTRL_Z) return void host.suspend().then(() => this.#refresh());
    if (asking && this.#hasKeys) {
      onTyped();
      if (!answersByKey(asking)) this.#editor.take(bytes);
      else this.#onKey(asking, keys);
    } else if (keys === CTRL_C) this.#end("SIGINT");
  }

  #onKey({ promptId }: PromptEvent, keys: string): void {
    const { clock, tool } = this.#options;
    if (keys === ESC || keys === CTRL_C) this.#end("SIGINT");
    else if (/^[1-9]$/.test(keys) && clock.monotonic() - this.#askedAt >= HASTY_MS)
      this.#refused(tool.answerHere(promptId, keys));
  }

  #onLine(line: string): void {
    const { asking } = this.#options.tool;
    if (asking) this.#refused(this.#options.tool.answerHere(asking.promptId, line));
    this.#refresh();
  }

  #onAsking(): void {
    const { promptId } = this.#options.tool.asking ?? { promptId: null };
    if (promptId !== this.#asked) this.#askedAt = this.#options.clock.monotonic();
    this.#asked = promptId;
    this.#refresh();
  }

  /** Shows the input line where an answer needs words, and nowhere else. */
  #refresh(): void {
    const { asking } = this.#options.tool;
    this.#editor.close();
    if (asking && this.#hasKeys && !answersByKey(asking)) this.#editor.open("answer › ");
  }

  #refused(why: Rejection | null): void {
    if (why) this.#editor.above(`${why.text}\n`);
  }

  /** Once: the turn is stopped, and the tool ends when it has. Twice, or by another signal than Ctrl-C's: at once. */
  #end(by: EndSignal): void {
    const { tool, sessionId } = this.#options;
    const isFirst = this.#endedBy === null;
    this.#endedBy ??= by;
    this.#stop.abort(by);
    if (isFirst && by === "SIGINT") tool.cancel();
    else void tool.terminateSession(sessionId);
  }

  #say(text: string): void {
    this.#options.say?.(text);
  }
}

/** Few choices are answered by one key each; everything else on the input line. */
function answersByKey({ choices, promptType, constraints }: PromptEvent): boolean {
  return promptType === "multiple_choice" && constraints.multi !== true && choices.length <= KEY_CHOICES_MAX;
}

/** In raw mode a line feed only goes down. */
export function rawLines(chunk: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(chunk).toString().replaceAll(/\r?\n/g, "\r\n"));
}
