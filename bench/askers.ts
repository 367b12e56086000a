/** What asks a person, each in its own way: the command that it asks about names the instant (µs, monotonic). */
import { fileURLToPath } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { askingClient } from "../tests/support/mcp-client.js";
import { OuterTerminal } from "./outer-terminal.js";
import { OURS } from "./peers.js";

export interface Asker {
  /** Asks one question; resolves when it is asked. */
  ask(): void;
  /** Lets the question go, as its own side does. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export type Env = Readonly<Record<string, string>>;

const AGENT = fileURLToPath(new URL("peers/asks-acp.mjs", import.meta.url));
const PROGRAM = fileURLToPath(new URL("peers/asks-line.py", import.meta.url));
/** A key in the first instants of a question is not taken for its answer. */
const HASTY_MS = 600;

/** An agent with an interface of its own (`peers/asks.mjs`). */
export async function drawnAgent(agent: string, flags: readonly string[], env: Env): Promise<Asker> {
  const terminal = new OuterTerminal(ours([agent], flags), env);
  await terminal.until("-READY-");
  return {
    ask: () => terminal.press("n"),
    settle: () => {
      terminal.press("1");
      return Promise.resolve();
    },
    close: () => terminal.close(),
  };
}

/** A program that nobody has described, with a question on a line. */
export async function plainProgram(env: Env): Promise<Asker> {
  const terminal = new OuterTerminal(ours(["python3", PROGRAM], []), env);
  await terminal.until("-READY-");
  return {
    ask: () => terminal.press("n\r"),
    settle: () => {
      terminal.press("n\r");
      return Promise.resolve();
    },
    close: () => terminal.close(),
  };
}

/** An agent that is talked to. */
export async function spokenAgent(env: Env): Promise<Asker> {
  const terminal = new OuterTerminal(ours([process.execPath, AGENT], ["--runtime", "acp"]), env);
  await terminal.until(":help");
  return {
    ask: () => terminal.press("go\r"),
    settle: async () => {
      await pause(HASTY_MS);
      terminal.press("1");
    },
    close: () => terminal.close(),
  };
}

/** Any tool that asks by itself, through our MCP server. */
export async function mcpTool(env: Env): Promise<Asker> {
  const client = await askingClient(env, "bench");
  let stop = new AbortController();
  return {
    ask: () => {
      stop = new AbortController();
      const question = `touch probe-${process.hrtime.bigint() / 1000n}`;
      void client.call("ask_human", { question }, { signal: stop.signal }).catch(() => undefined);
    },
    settle: () => {
      stop.abort();
      return Promise.resolve();
    },
    close: () => client.close(),
  };
}

function ours(inner: readonly string[], flags: readonly string[]): string[] {
  const [node = "", main = "", run = "", ...rest] = OURS.wrap(inner);
  return [node, main, run, ...flags, ...rest];
}
