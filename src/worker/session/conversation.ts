/** One session with a tool that is talked to: the user's terminal (or pipe) as its front end, from the first task to the last. */
import { constants as os } from "node:os";
import type { Clock } from "../../model/clock.js";
import type { PromptId, SessionId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import type { Rejection } from "../../model/rejection.js";
import type { TerminalExit } from "../transport/terminal.js";
import type { EndSignal, HostTerminal } from "./host-terminal.js";
import { LineEditor } from "./line-editor.js";
import { LineTasks } from "./line-tasks.js";

/** A key that was meant for something else does not answer a question that has just come up. */
const HASTY_MS = 400;
/** Two of them end the session. */
const TWICE_WITHIN_MS = 2000;

const ESC = "\u001b";
const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";

export interface TalkingTool {
  /** Resolves when it takes its first task. */
  readonly ready: Promise<void>;
  readonly exited: Promise<TerminalExit>;
  /** The question that has waited longest, and that keys answer. */
  readonly asking: PromptEvent | null;
  readonly commands: {
    /** Said once it is ready. */
    readonly introduction: string;
    /** Does what a line asks of us; false for what is meant for the tool. Never rejects. */
    take(line: string): Promise<boolean>;
  };
  readStream(): AsyncIterable<Uint8Array>;
  /** One task; never rejects. `problem`: why the turn did not come to an end. */
  prompt(text: string): Promise<{ readonly problem: string | null }>;
  cancel(): void;
  answerHere(promptId: PromptId, value: string): Rejection | null;
  /** Called when a question came or went. */
  onAsking(listener: () => void): void;
  terminateSession(sessionId: SessionId): Promise<void>;
}

export interface ConversationOptions {
  readonly tool: TalkingTool;
  readonly host: HostTerminal;
  readonly sessionId: SessionId;
  readonly clock: Clock;
  /** A person typed. */
  readonly onTyped: () => void;
}

/** How it ended: the tool's own end, and our exit code: 0 when its user ended it and every task was done. */
export interface ConversationEnd {
  readonly exit: TerminalExit;
  readonly exitCode: number;
}

/** Resolves when the tool has ended and the user's terminal is as it was. Errors: those of `tool.ready`. */
export async function converse(options: ConversationOptions): Promise<ConversationEnd> {
  const conversation = new Conversation(options);
  const restore = (): void => options.host.close();
  process.once("exit", restore);
  try {
    return await conversation.run();
  } finally {
    restore();
    process.off("exit", restore);
  }
}

class Conversation {
  readonly #options: ConversationOptions;
  readonly #editor: LineEditor;
  readonly #tasks: LineTasks;
  #mode: "starting" | "idle" | "working" | "ended" = "starting";
  #askedAt = 0;
  #asked: PromptId | null = null;
  #interruptedAt = -Infinity;
  #failed = false;
  #endedBy: EndSignal | "user" | null = null;

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { host } = options;
    this.#editor = new LineEditor({
      columns: () => host.size.cols,
      write: (text) => this.#write(text),
      onLine: (line) => this.#onLine(line),
      onInterrupt: () => this.#onInterrupt(),
      onEnd: () => this.#end("user"),
    });
    this.#tasks = new LineTasks({ onTask: (text) => void this.#work(text), onEnd: () => this.#end("user") });
  }

  async run(): Promise<ConversationEnd> {
    const { host, tool } = this.#options;
    const shown = this.#show();
    await host.open({
      onInput: (bytes) => this.#onInput(bytes),
      onInputEnd: () => this.#tasks.end(),
      onResize: () => undefined,
      onEndSignal: (signal) => this.#end(signal),
      onPassedSignal: () => undefined,
      onStopSignal: () => void host.suspend(),
      onContinued: () => undefined,
      onOutputLost: () => this.#end("SIGHUP"),
    });
    tool.onAsking(() => this.#onAsking());
    const exited = tool.exited.then((exit) => this.#onExit(exit));
    try {
      await Promise.race([tool.ready, exited.then(() => tool.ready)]);
      if (this.#mode === "starting") this.#begin();
      const exit = await exited;
      await shown;
      return { exit, exitCode: this.#exitCode(exit) };
    } catch (error) {
      await tool.terminateSession(this.#options.sessionId);
      throw error;
    } finally {
      this.#editor.end();
      await host.flush();
    }
  }

  async #show(): Promise<void> {
    const { host, tool } = this.#options;
    for await (const chunk of tool.readStream()) {
      if (host.isTerminal) this.#editor.above(Buffer.from(chunk).toString());
      else await host.write(chunk);
    }
  }

  #onInput(bytes: Uint8Array): void {
    if (this.#options.host.isTerminal) this.#onKeys(bytes);
    else this.#tasks.take(bytes);
  }

  #onKeys(bytes: Uint8Array): void {
    this.#options.onTyped();
    const keys = Buffer.from(bytes).toString("latin1");
    const { asking } = this.#options.tool;
    if (keys === CTRL_Z) void this.#options.host.suspend().then(() => this.#refresh());
    else if (asking && this.#answersByKey(asking)) this.#onKey(asking, keys);
    else if (asking || this.#mode === "idle") this.#editor.take(bytes);
    else if (keys === ESC || keys === CTRL_C) this.#onInterrupt();
  }

  /** Few choices are answered by one key each; everything else on the input line. */
  #answersByKey({ choices, promptType, constraints }: PromptEvent): boolean {
    return promptType === "multiple_choice" && constraints.multi !== true && choices.length <= 9;
  }

  #onKey({ promptId }: PromptEvent, keys: string): void {
    const { clock, tool } = this.#options;
    if (keys === ESC || keys === CTRL_C) this.#onInterrupt();
    else if (/^[1-9]$/.test(keys) && clock.monotonic() - this.#askedAt >= HASTY_MS)
      this.#say(tool.answerHere(promptId, keys));
  }

  #onLine(line: string): void {
    const { asking } = this.#options.tool;
    if (asking) this.#say(this.#options.tool.answerHere(asking.promptId, line));
    else if (line.trim() !== "") void this.#work(line);
    this.#refresh();
  }

  /** Ctrl-C and Esc: the turn first; where nothing runs, the session, if it comes twice. */
  #onInterrupt(): void {
    const { clock, tool } = this.#options;
    const isSecond = clock.monotonic() - this.#interruptedAt < TWICE_WITHIN_MS;
    if (this.#mode === "working") tool.cancel();
    else if (isSecond) this.#end("user");
    else {
      this.#interruptedAt = clock.monotonic();
      this.#editor.above("(Ctrl-C once more, or Ctrl-D, ends the session)\n");
    }
  }

  #begin(): void {
    const { host, tool } = this.#options;
    if (host.isTerminal)
      this.#editor.above(`${tool.commands.introduction}\n(:help tells what can be chosen)\n`);
    this.#rest();
  }

  async #work(text: string): Promise<void> {
    this.#mode = "working";
    this.#refresh();
    if (await this.#options.tool.commands.take(text)) {
      this.#rest();
      return;
    }
    const { problem } = await this.#options.tool.prompt(text);
    this.#failed ||= problem !== null;
    this.#rest();
  }

  #rest(): void {
    if (this.#mode === "ended") return;
    this.#mode = "idle";
    this.#refresh();
    if (!this.#options.host.isTerminal) this.#tasks.next();
  }

  #onAsking(): void {
    const { promptId } = this.#options.tool.asking ?? { promptId: null };
    if (promptId !== this.#asked) this.#askedAt = this.#options.clock.monotonic();
    this.#asked = promptId;
    this.#refresh();
  }

  /** Shows the input line where it is one's turn to write, and nowhere else. */
  #refresh(): void {
    const { asking } = this.#options.tool;
    this.#editor.close();
    if (!this.#options.host.isTerminal || this.#mode === "ended") return;
    if (asking && !this.#answersByKey(asking)) this.#editor.open("answer › ");
    else if (!asking && this.#mode === "idle") this.#editor.open("› ");
  }

  #say(refusal: Rejection | null): void {
    if (refusal) this.#editor.above(`${refusal.text}\n`);
  }

  #end(by: EndSignal | "user"): void {
    if (this.#endedBy !== null) return;
    this.#endedBy = by;
    void this.#options.tool.terminateSession(this.#options.sessionId);
  }

  #onExit(exit: TerminalExit): TerminalExit {
    this.#mode = "ended";
    this.#refresh();
    this.#options.host.pauseInput();
    return exit;
  }

  #exitCode({ exitCode, signal }: TerminalExit): number {
    if (this.#endedBy === "user") return this.#failed ? 1 : 0;
    if (this.#endedBy !== null) return 128 + os.signals[this.#endedBy];
    return exitCode ?? 128 + (signal ?? 0);
  }

  /** In raw mode a line feed only goes down. */
  #write(text: string): void {
    const { host } = this.#options;
    void host.write(Buffer.from(host.isTerminal ? text.replaceAll(/\r?\n/g, "\r\n") : text));
  }
}
