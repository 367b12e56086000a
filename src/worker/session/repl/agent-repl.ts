/** Runs a session with a tool that is used over a protocol: the user's terminal or pipe is its interface. */
import { constants as os } from "node:os";
import { LineReader } from "../../process/line-reader.js";
import type { TerminalExit } from "../../process/terminal.js";
import { toRawLines } from "../host/host-output.js";
import type { EndSignal } from "../host/host-hooks.js";
import { restoreTerminalAfter } from "../host/host-terminal.js";
import { LineTerminal, type LineSessionOptions, type LineTool } from "./line-terminal.js";

export interface ReplTool extends LineTool {
  readonly commands: {
    readonly introduction: string;
    /** Runs a line that is a command for us; false if it is meant for the tool. Never rejects. */
    take(line: string): Promise<boolean>;
  };
  /** Never rejects. `problem`: why the turn did not end normally. */
  prompt(text: string): Promise<{ readonly problem: string | null }>;
}

/** Our exit code is 0 when the user ended the session and every task was done. */
export interface AgentReplEnd {
  readonly exit: TerminalExit;
  readonly exitCode: number;
}

/** Resolves when the tool has ended and the user's terminal is restored. Errors: those of `tool.ready`. */
export function runAgentRepl(options: LineSessionOptions<ReplTool>): Promise<AgentReplEnd> {
  return restoreTerminalAfter(options.host, () => new AgentRepl(options).run());
}

class AgentRepl {
  readonly #options: LineSessionOptions<ReplTool>;
  readonly #terminal: LineTerminal;
  readonly #pipedTasks: string[] = [];
  readonly #pipe = new LineReader({
    onLine: (line) => this.#pipedTasks.push(line.trim()),
    onTooLong: () => (this.#hasFailed = true),
  });
  #isPipeEnded = false;
  #mode: "starting" | "idle" | "working" | "ended" = "starting";
  #hasFailed = false;
  #endedBy: EndSignal | "user" | null = null;

  constructor(options: LineSessionOptions<ReplTool>) {
    this.#options = options;
    const { host } = options;
    this.#terminal = new LineTerminal({
      ...options,
      isAnsweredHere: host.isTerminal,
      takesTasks: true,
      isShown: true,
      say: (text) => void host.write(host.isTerminal ? toRawLines(Buffer.from(text)) : Buffer.from(text)),
      onTask: (text) => void this.#runTask(text),
      onPipedInput: (bytes) => {
        this.#pipe.take(bytes);
        this.#startNext();
      },
      onInputEnd: () => {
        this.#pipe.end();
        this.#isPipeEnded = true;
        this.#startNext();
      },
      onInterrupt: () => this.#onInterrupt(),
      onEndKey: () => this.#onEndKey(),
      onEndSignal: (signal) => this.#end(signal),
      onOutputLost: () => this.#end("SIGHUP"),
    });
  }

  async run(): Promise<AgentReplEnd> {
    const { tool, host, sessionId } = this.#options;
    const output = this.#terminal.showOutput();
    await this.#terminal.open();
    if (host.isTerminal) this.#terminal.note("(The agent starts. Ctrl-C ends it)");
    const exited = tool.exited.then((exit) => this.#onExit(exit));
    try {
      await Promise.race([tool.ready, exited.then(() => tool.ready)]).catch((error: unknown) => {
        // A person who ends it during its start needs no error.
        if (this.#endedBy === null) throw error;
      });
      if (this.#mode === "starting" && this.#endedBy === null) this.#begin();
      const exit = await exited;
      await output;
      return { exit, exitCode: this.#computeExitCode(exit) };
    } catch (error) {
      await tool.terminateSession(sessionId);
      throw error;
    } finally {
      await this.#terminal.end();
    }
  }

  #begin(): void {
    const { host, tool } = this.#options;
    if (host.isTerminal)
      this.#terminal.note(`${tool.commands.introduction}\n(:help tells what can be chosen)`);
    this.#becomeIdle();
  }

  async #runTask(text: string): Promise<void> {
    const { tool } = this.#options;
    this.#mode = "working";
    this.#terminal.setTaskWanted(false);
    if (!(await tool.commands.take(text))) {
      const { problem } = await tool.prompt(text);
      this.#hasFailed ||= problem !== null;
    }
    this.#becomeIdle();
  }

  #becomeIdle(): void {
    if (this.#mode === "ended") return;
    this.#mode = "idle";
    if (this.#options.host.isTerminal) this.#terminal.setTaskWanted(true);
    else this.#startNext();
  }

  #startNext(): void {
    if (this.#mode !== "idle") return;
    let task = this.#pipedTasks.shift();
    while (task === "") task = this.#pipedTasks.shift();
    if (task !== undefined) void this.#runTask(task);
    else if (this.#isPipeEnded) this.#end("user");
  }

  #onInterrupt(): void {
    if (this.#mode === "starting") this.#end("SIGINT");
    else if (this.#mode === "working") this.#options.tool.cancel();
    else this.#terminal.note("(Ctrl-D ends the session)");
  }

  #onEndKey(): void {
    if (this.#mode !== "working") this.#end("user");
    else this.#terminal.note("(It is still at work: Ctrl-C stops it, then Ctrl-D ends the session)");
  }

  #end(by: EndSignal | "user"): void {
    if (this.#endedBy !== null) return;
    this.#endedBy = by;
    void this.#options.tool.terminateSession(this.#options.sessionId);
  }

  #onExit(exit: TerminalExit): TerminalExit {
    this.#mode = "ended";
    this.#terminal.setTaskWanted(false);
    this.#options.host.pauseInput();
    return exit;
  }

  #computeExitCode({ exitCode, signal }: TerminalExit): number {
    if (this.#endedBy === "user") return this.#hasFailed ? 1 : 0;
    if (this.#endedBy !== null) return 128 + os.signals[this.#endedBy];
    return exitCode ?? 128 + (signal ?? 0);
  }
}
