/** `terminal/*`: runs commands for the agent. */
import { statSync } from "node:fs";
import type { Clock } from "../../../../model/clock.js";
import type { SessionId } from "../../../../model/ids.js";
import { attempt } from "../../../../model/data/attempt.js";
import { toArray, isObject, toText, type Json } from "../../../../model/data/json.js";
import { createChildEnvironment, type Environment } from "../../../process/child-environment.js";
import { findExecutable } from "../../../process/executable.js";
import type { Terminal, TerminalExit } from "../../../process/terminal.js";
import { openPty } from "../../../pty/pty.js";
import { KeptOutput } from "./kept-output.js";
import type { RequestResult } from "../../../prompts/pending-request.js";
import { createFailure, createForbidden } from "./request-errors.js";
import type { Workspace } from "./workspace.js";

export const OUTPUT_BYTES_MAX = 1024 * 1024;
const TERMINALS_MAX = 32;

/** Wide enough for lines of test reports and compilers. */
const SIZE = { cols: 120, rows: 50 };
const KILL_GRACE_MS = 1000;
/** Nobody can type, so a program that reads sees the end of its input. */
const END_OF_INPUT = Uint8Array.of(4);
const SHELL = "/bin/sh";

export interface TerminalsOptions {
  readonly workspace: Workspace;
  readonly environment: Environment;
  readonly sessionId: SessionId;
  readonly clock: Clock;
  readonly onStarted: (words: string, cwd: string) => void;
  readonly onEnded: (words: string, status: TerminalStatus, readOutput: string) => void;
}

export class Terminals {
  readonly #options: TerminalsOptions;
  readonly #open = new Map<string, AgentTerminal>();
  #count = 0;
  #waits = 0;

  constructor(options: TerminalsOptions) {
    this.#options = options;
  }

  create(params: Json): RequestResult {
    const { workspace, environment, sessionId, clock, onStarted, onEnded } = this.#options;
    if (this.#open.size >= TERMINALS_MAX)
      throw createFailure(`${TERMINALS_MAX} terminals are open: release some first`);
    const { command, args } = readCommand(params);
    const cwd = workspace.resolve(params["cwd"] ?? workspace.folder);
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
      throw createForbidden(`${cwd} is no folder`);
    const env = createChildEnvironment({ ...environment, ...readEnvironment(params["env"]) }, sessionId);
    const terminal = startTerminal({ command, args, env, cwd, outputBytesMax: readLimit(params), clock });
    this.#count += 1;
    const terminalId = `terminal-${this.#count}`;
    this.#open.set(terminalId, terminal);
    const words = [command, ...args].join(" ");
    onStarted(words, cwd);
    void terminal.exited.then((status) => onEnded(words, status, terminal.output.output));
    return { terminalId };
  }

  output(params: Json): RequestResult {
    const { output, status } = this.#find(params);
    return { ...output, ...(status && { exitStatus: status }) };
  }

  async waitForExit(params: Json): Promise<RequestResult> {
    const { exited } = this.#find(params);
    this.#waits += 1;
    return { ...(await exited.finally(() => (this.#waits -= 1))) };
  }

  get isWaitedFor(): boolean {
    return this.#waits > 0;
  }

  async kill(params: Json): Promise<RequestResult> {
    await this.#find(params).kill();
    return {};
  }

  release(params: Json): RequestResult {
    this.#find(params).release();
    this.#open.delete(String(params["terminalId"]));
    return {};
  }

  close(): void {
    for (const terminal of this.#open.values()) terminal.release();
    this.#open.clear();
  }

  #find({ terminalId }: Json): AgentTerminal {
    const terminal = this.#open.get(toText(terminalId) ?? "");
    if (!terminal) throw createForbidden("there is no such terminal, or it was released");
    return terminal;
  }
}

function readCommand({ command, args }: Json): { command: string; args: string[] } {
  const words = [command, ...toArray(args)].map(toText);
  const [first, ...more] = words.filter((word) => word !== null && !word.includes("\0"));
  if (!first || more.length < words.length - 1) throw createForbidden("command and args have to be texts");
  return { command: first, args: more as string[] };
}

function readEnvironment(given: unknown): Record<string, string> {
  const pairs = toArray(given).map((each) => {
    const [name, value] = isObject(each) ? [toText(each["name"]), toText(each["value"])] : [null, null];
    if (!name || value === null || /[=\0]/.test(name) || value.includes("\0"))
      throw createForbidden("env has to be a list of names and values");
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}

function readLimit({ outputByteLimit }: Json): number {
  return typeof outputByteLimit === "number" && outputByteLimit >= 0
    ? Math.min(Math.floor(outputByteLimit), OUTPUT_BYTES_MAX)
    : OUTPUT_BYTES_MAX;
}

function startTerminal(options: AgentTerminalOptions): AgentTerminal {
  try {
    return new AgentTerminal(options);
  } catch (error) {
    throw createFailure(error instanceof Error ? error.message : "it could not be started");
  }
}

interface AgentTerminalOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly outputBytesMax: number;
  readonly clock: Clock;
}

export interface TerminalStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

class AgentTerminal {
  readonly #terminal: Terminal;
  readonly #output: KeptOutput;
  readonly #clock: Clock;
  readonly exited: Promise<TerminalStatus>;
  status: TerminalStatus | null = null;

  /** Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
  constructor({ command, args, env, cwd, outputBytesMax, clock }: AgentTerminalOptions) {
    this.#clock = clock;
    this.#output = new KeptOutput(outputBytesMax);
    const words =
      args.length > 0 || isExecutable(command, env, cwd) ? [command, ...args] : [SHELL, "-c", command];
    this.#terminal = openPty({ command: words, env, cwd, size: SIZE, clock });
    this.#terminal.onData((chunk) => this.#output.push(chunk));
    void this.#terminal.write(END_OF_INPUT);
    this.exited = this.#terminal.exited.then((exit) => this.#onExit(exit));
  }

  get output(): { readonly output: string; readonly truncated: boolean } {
    return { output: this.#output.read(), truncated: this.#output.truncated };
  }

  async kill(): Promise<void> {
    if (this.status) return;
    this.#terminal.kill("SIGTERM");
    const stopTimer = this.#clock.after(KILL_GRACE_MS, () => void this.#terminal.kill("SIGKILL"));
    await this.exited;
    stopTimer();
  }

  release(): void {
    this.#terminal.kill("SIGKILL");
    this.#terminal.close();
  }

  #onExit({ exitCode, signal, signalName }: TerminalExit): TerminalStatus {
    this.#output.end();
    this.status = { exitCode, signal: signalName ?? (signal === null ? null : String(signal)) };
    return this.status;
  }
}

/** A command without arguments that is no executable is a line for a shell. */
function isExecutable(command: string, env: Readonly<Record<string, string>>, cwd: string): boolean {
  return attempt(() => findExecutable(command, { path: env["PATH"], cwd }) !== "", false);
}
