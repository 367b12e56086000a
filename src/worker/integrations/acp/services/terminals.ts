/** `terminal/*`: the commands that the agent has us run, by the names that it was given for them. */
import { statSync } from "node:fs";
import type { Clock } from "../../../../model/clock.js";
import type { SessionId } from "../../../../model/ids.js";
import { toArray, isObject, toText, type Json } from "../../../../model/data/json.js";
import { createChildEnvironment, type Environment } from "../../../process/child-environment.js";
import { AgentTerminal, type TerminalStatus } from "./agent-terminal.js";
import { createFailure, createForbidden } from "./request-errors.js";
import type { Workspace } from "./workspace.js";

/** Of one command's output; the latest counts, and this is more than any model reads. */
export const OUTPUT_BYTES_MAX = 1024 * 1024;
/** The most that are open at once; an agent that does not release them gets an error. */
const TERMINALS_MAX = 32;

export interface TerminalsOptions {
  readonly workspace: Workspace;
  readonly environment: Environment;
  readonly sessionId: SessionId;
  readonly clock: Clock;
  /** A command began. */
  readonly onStarted: (words: string, cwd: string) => void;
  /** It ended; `output`: the latest of what it wrote. */
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

  /** Errors: `RequestError` in plain words. */
  create(params: Json): { terminalId: string } {
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

  output(params: Json): { output: string; truncated: boolean; exitStatus?: TerminalStatus } {
    const { output, status } = this.#find(params);
    return { ...output, ...(status && { exitStatus: status }) };
  }

  async waitForExit(params: Json): Promise<TerminalStatus> {
    const { exited } = this.#find(params);
    this.#waits += 1;
    return exited.finally(() => (this.#waits -= 1));
  }

  /** Somebody waits for one of them to end. */
  get isWaitedFor(): boolean {
    return this.#waits > 0;
  }

  /** Its name stays good. */
  async kill(params: Json): Promise<void> {
    await this.#find(params).kill();
  }

  release(params: Json): void {
    this.#find(params).release();
    this.#open.delete(String(params["terminalId"]));
  }

  /** Ends all of them, now. */
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

function startTerminal(options: ConstructorParameters<typeof AgentTerminal>[0]): AgentTerminal {
  try {
    return new AgentTerminal(options);
  } catch (error) {
    throw createFailure(error instanceof Error ? error.message : "it could not be started");
  }
}
