/**
 * Runs one session with a tool that is used over a protocol: the user's terminal (or pipe) is its interface, from the first task
 * to the last.
 */
import { constants as os } from "node:os";
import type { Clock } from "../../../model/clock.js";
import type { SessionId } from "../../../model/ids.js";
import type { TerminalExit } from "../../process/terminal.js";
import { AnswerKeys, countInterrupts, type PromptingTool } from "./answer-keys.js";
import { toRawLines } from "../host/host-output.js";
import type { EndSignal } from "../host/host-hooks.js";
import { restoreTerminalAfter, type HostTerminal } from "../host/host-terminal.js";
import { LineEditor } from "./line-editor.js";
import { LineTasks } from "./line-tasks.js";

/** Two interrupts within this time end the session. */
const TWICE_WITHIN_MS = 2000;
/** Most tools are ready by then; for a slower one a note says that it starts. */
const STARTS_WITHIN_MS = 1500;

const ESC = "\u001b";
/** Ctrl-D as a byte. */
const CTRL_D = 4;
const CTRL_Z = "\u001a";

export interface ReplTool extends PromptingTool {
  /** Resolves when it takes its first task. */
  readonly ready: Promise<void>;
  readonly exited: Promise<TerminalExit>;
  readonly commands: {
    /** Shown once it is ready. */
    readonly introduction: string;
    /** Runs a line that is a command for us; false for a line that is meant for the tool. Never rejects. */
    take(line: string): Promise<boolean>;
  };
  readStream(): AsyncIterable<Uint8Array>;
  /** Runs one task; never rejects. `problem`: why the turn did not end normally. */
  prompt(text: string): Promise<{ readonly problem: string | null }>;
  cancel(): void;
  terminateSession(sessionId: SessionId): Promise<void>;
}

export interface AgentReplOptions {
  readonly tool: ReplTool;
  readonly host: HostTerminal;
  readonly sessionId: SessionId;
  readonly clock: Clock;
  /** Called when a person typed. */
  readonly onTyped: () => void;
}

/** How the session ended: the tool's own end, and our exit code, which is 0 when its user ended it and every task was done. */
export interface AgentReplEnd {
  readonly exit: TerminalExit;
  readonly exitCode: number;
}

/** Resolves when the tool has ended and the user's terminal is restored. Errors: those of `tool.ready`. */
export function runAgentRepl(options: AgentReplOptions): Promise<AgentReplEnd> {
  return restoreTerminalAfter(options.host, () => new AgentRepl(options).run());
}

class AgentRepl {
  readonly #options: AgentReplOptions;
  readonly #editor: LineEditor;
  readonly #tasks: LineTasks;
  readonly #answers: AnswerKeys;
  #mode: "starting" | "idle" | "working" | "ended" = "starting";
  #interruptedAt = -Infinity;
  #hasFailed = false;
  #endedBy: EndSignal | "user" | null = null;

  constructor(options: AgentReplOptions) {
    this.#options = options;
    const { host, tool, clock } = options;
    this.#editor = new LineEditor({
      prompt: "› ",
      columns: () => host.size.cols,
      write: (text) => this.#write(text),
      onLine: (line) => this.#onLine(line),
      onInterrupt: () => this.#onInterrupt(),
      onEnd: () => this.#end("user"),
    });
    this.#answers = new AnswerKeys({ tool, clock, say: (text) => this.#editor.writeNote(text) });
    this.#tasks = new LineTasks({
      onTask: (text) => void this.#runTask(text),
      onEnd: () => this.#end("user"),
    });
  }

  async run(): Promise<AgentReplEnd> {
    const { host, tool, clock } = this.#options;
    const output = this.#showOutput();
    await host.open({
      onInput: (bytes) => this.#onInput(bytes),
      onInputEnd: () => this.#tasks.end(),
      onResize: () => this.#editor.redraw(),
      onEndSignal: (signal) => this.#end(signal),
      onPassedSignal: () => undefined,
      onStopSignal: () => this.#suspend(),
      onContinued: () => undefined,
      onOutputLost: () => this.#end("SIGHUP"),
    });
    this.#answers.start(() => this.#refresh());
    const exited = tool.exited.then((exit) => this.#onExit(exit));
    const stopTimer = clock.after(STARTS_WITHIN_MS, () => this.#noteStarting());
    try {
      await Promise.race([tool.ready, exited.then(() => tool.ready)]).catch((error: unknown) => {
        // A person who ends it before it has started knows why it did not start.
        if (this.#endedBy === null) throw error;
      });
      if (this.#mode === "starting" && this.#endedBy === null) this.#begin();
      const exit = await exited;
      await output;
      return { exit, exitCode: this.#computeExitCode(exit) };
    } catch (error) {
      await tool.terminateSession(this.#options.sessionId);
      throw error;
    } finally {
      stopTimer();
      this.#editor.end();
      await host.flush();
    }
  }

  async #showOutput(): Promise<void> {
    const { host, tool } = this.#options;
    for await (const chunk of tool.readStream()) {
      if (host.isTerminal) this.#editor.writeAbove(Buffer.from(chunk).toString());
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
    const { inputMode } = this.#answers;
    if (keys === CTRL_Z) this.#suspend();
    else if (inputMode === "line" || (inputMode === null && this.#mode === "idle")) this.#editor.take(bytes);
    else if (keys === ESC || countInterrupts(keys) > 0) this.#onInterruptKeys(keys);
    else if (inputMode === "key") this.#answers.press(keys);
    else this.#takeTypedAhead(bytes);
  }

  /** The cursor's place is unknown afterwards, so the line is removed before and drawn again after. */
  #suspend(): void {
    this.#editor.close();
    void this.#options.host.suspend().then(() => this.#refresh());
  }

  #takeTypedAhead(bytes: Uint8Array): void {
    this.#editor.take(bytes.filter((byte) => byte !== CTRL_D));
    if (bytes.includes(CTRL_D)) this.#onEndRequest();
  }

  /** Handles Ctrl-D while no line is shown: it does not end a running task. */
  #onEndRequest(): void {
    if (this.#mode === "starting") this.#end("user");
    else
      this.#editor.writeNote("(It is still at work: Esc or Ctrl-C stops it, then Ctrl-D ends the session)");
  }

  #onInterruptKeys(keys: string): void {
    for (let times = Math.max(1, countInterrupts(keys)); times > 0; times--) this.#onInterrupt();
  }

  #onLine(line: string): void {
    if (this.#answers.inputMode !== null) this.#answers.take(line);
    else if (line.trim() !== "") void this.#runTask(line);
    this.#refresh();
  }

  /** Handles Ctrl-C and Esc. They end a start at once, and cancel a turn first; where nothing runs, two of them end the session. */
  #onInterrupt(): void {
    const { clock, tool } = this.#options;
    const isSecond = clock.monotonic() - this.#interruptedAt < TWICE_WITHIN_MS;
    if (this.#mode === "starting") this.#end("SIGINT");
    else if (this.#mode === "working") {
      this.#editor.forgetTypedAhead();
      tool.cancel();
    } else if (isSecond) this.#end("user");
    else {
      this.#interruptedAt = clock.monotonic();
      this.#editor.writeNote("(Ctrl-C once more, or Ctrl-D, ends the session)");
    }
  }

  /** Says that a slow tool starts; not below a prompt, which must stay the last thing on the screen. */
  #noteStarting(): void {
    const isWaiting = this.#mode === "starting" && this.#answers.inputMode === null && this.#endedBy === null;
    if (this.#options.host.isTerminal && isWaiting)
      this.#editor.writeNote("(The agent starts. Ctrl-C ends it)");
  }

  #begin(): void {
    const { host, tool } = this.#options;
    if (host.isTerminal)
      this.#editor.writeNote(`${tool.commands.introduction}\n(:help tells what can be chosen)`);
    this.#becomeIdle();
  }

  async #runTask(text: string): Promise<void> {
    this.#mode = "working";
    this.#refresh();
    if (await this.#options.tool.commands.take(text)) {
      this.#becomeIdle();
      return;
    }
    const { problem } = await this.#options.tool.prompt(text);
    this.#hasFailed ||= problem !== null;
    this.#becomeIdle();
  }

  #becomeIdle(): void {
    if (this.#mode === "ended") return;
    this.#mode = "idle";
    this.#refresh();
    if (!this.#options.host.isTerminal) this.#tasks.startNext();
  }

  /** Shows the input line when the person may write, and only then. */
  #refresh(): void {
    const { inputMode } = this.#answers;
    this.#editor.close();
    if (!this.#options.host.isTerminal || this.#mode === "ended") return;
    if (inputMode === "line") this.#editor.open("answer › ");
    else if (inputMode === null && this.#mode === "idle") this.#editor.open();
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

  #computeExitCode({ exitCode, signal }: TerminalExit): number {
    if (this.#endedBy === "user") return this.#hasFailed ? 1 : 0;
    if (this.#endedBy !== null) return 128 + os.signals[this.#endedBy];
    return exitCode ?? 128 + (signal ?? 0);
  }

  #write(text: string): void {
    const { host } = this.#options;
    const bytes = Buffer.from(text);
    void host.write(host.isTerminal ? toRawLines(bytes) : bytes);
  }
}
