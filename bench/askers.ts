/** What asks a person, each in its own way: the command that it asks about names the instant (µs, monotonic). */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { AppServerDouble, WAITING, WORKING } from "../tests/support/app-server.js";
import { COMPOSER, drawDialog, drawReport, makeRequest } from "../tests/support/codex-screens.js";
import { askingClient } from "../tests/support/mcp-client.js";
import { Strings } from "../tests/support/strings.js";
import { OuterTerminal } from "./outer-terminal.js";
import { EXEC, OURS } from "./peers.js";

export interface Asker {
  /** Asks one question; resolves when it is asked. */
  ask(): void;
  /** Lets the question go, as its own side does. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export type AskerEnvironment = Readonly<Record<string, string>>;

const AGENT = fileURLToPath(new URL("peers/asks-acp.mjs", import.meta.url));
const WITHOUT_INTERFACE = fileURLToPath(new URL("peers/asks-exec.mjs", import.meta.url));
const ON_STRINGS = fileURLToPath(new URL("../tests/fixtures/agents/puppet.mjs", import.meta.url));
const PROGRAM = fileURLToPath(new URL("peers/asks-line.py", import.meta.url));
/** A key in the first instants of a question is not taken for its answer. */
const HASTY_MS = 600;

/** An agent with an interface of its own (`peers/asks.mjs`). */
export async function drawnAgent(
  agent: string,
  flags: readonly string[],
  env: AskerEnvironment,
): Promise<Asker> {
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
export async function plainProgram(env: AskerEnvironment): Promise<Asker> {
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
export async function spokenAgent(env: AskerEnvironment): Promise<Asker> {
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

/** An agent that is given a task and has no interface. */
export async function taskAgent(env: AskerEnvironment): Promise<Asker> {
  const folder = folderIn(env, "task");
  const socket = join(folder, "orders");
  const agent = program(join(folder, "claude"), `exec '${process.execPath}' '${WITHOUT_INTERFACE}' "$@"`);
  const terminal = new OuterTerminal(EXEC.wrap([agent]), { ...env, ASKS_AT: socket });
  await until(() => existsSync(socket));
  const orders = connect(socket);
  return {
    ask: () => void orders.write("ask\n"),
    settle: () => Promise.resolve(void orders.write("take back\n")),
    close: () => terminal.close(),
  };
}

/** A tool whose interface is a client of a server, which is joined beside it; both are ours. */
export async function joinedTool(env: AskerEnvironment): Promise<Asker> {
  const folder = folderIn(env, "joined");
  const server = await AppServerDouble.start("mine");
  mkdirSync(join(folder, "app-server-control"), { mode: 0o700 });
  symlinkSync(server.path, join(folder, "app-server-control", "app-server-control.sock"));
  const strings = await Strings.open();
  const tool = program(
    join(folder, "codex"),
    `[ "$1" = --version ] && exec echo codex-cli 0.169.0\nstty raw -echo; exec '${process.execPath}' '${ON_STRINGS}'`,
  );
  const terminal = new OuterTerminal(ours([tool], []), {
    ...env,
    ...strings.environment,
    CODEX_HOME: folder,
  });
  await until(() => strings.isTied);
  await until(() => server.asked.includes("thread/loaded/list"));
  strings.draws(drawReport("idle") + COMPOSER);
  // A thread is known by what it does with its tool, once both are quiet.
  await pause(HASTY_MS);
  strings.draws(drawReport("working"));
  server.does("mine", WORKING);
  await until(() => server.asked.includes("thread/resume"));
  let asked = 0;
  return {
    ask: () => {
      const command = `touch probe-${process.hrtime.bigint() / 1000n}`;
      server.tell(makeRequest((asked += 1), command, "mine"));
      server.does("mine", WAITING);
      strings.draws(drawReport("blocked") + drawDialog(command));
    },
    settle: () => {
      server.resolve("mine", asked);
      server.does("mine", WORKING);
      strings.draws(drawReport("working") + COMPOSER);
      return Promise.resolve();
    },
    close: async () => {
      await terminal.close();
      strings.close();
      await server.close();
    },
  };
}

/** Any tool that asks by itself, through our MCP server. */
export async function mcpTool(env: AskerEnvironment): Promise<Asker> {
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

function folderIn(env: AskerEnvironment, name: string): string {
  const folder = join(env["ATLASBRIDGE_HOME"] ?? "", name);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** A program under the name by which its adapter is found. */
function program(file: string, script: string): string {
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  return file;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

function ours(inner: readonly string[], flags: readonly string[]): string[] {
  const [node = "", main = "", run = "", ...rest] = OURS.wrap(inner);
  return [node, main, run, ...flags, ...rest];
}
