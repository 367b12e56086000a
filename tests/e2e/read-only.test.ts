/**
 * A command that only reads never starts a hub. The tables name every command of the command line, so that a new one has to be put into
 * one of them: those that only read are tried, and of the others it is said what they do.
 */
import type { Command } from "commander";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeCli } from "../../src/cli/program.js";
import { eventually, HubHome } from "../support/hub-home.js";

/** With the arguments that they are tried with. */
const READ_ONLY: Readonly<Record<string, readonly string[]>> = {
  "adapter check": ["demo-agent"],
  "adapter list": [],
  "adapter probe": ["bash"],
  "adapter show": ["claude"],
  "adapter test": ["none.yaml"],
  "audit export": [],
  "audit verify": [],
  "channel list": [],
  completion: ["sessions"],
  "db info": [],
  "delegate list": [],
  doctor: [],
  "grants list": [],
  "hub logs": [],
  "hub status": [],
  "hub stop": [],
  "lab run": ["none.json"],
  "lab view": ["none.json"],
  "people list": [],
  "policy check": [],
  "policy explain": ["k7"],
  "policy replay": [],
  "policy stats": [],
  "policy test": ["--command", "ls"],
  prompts: ["--all"],
  sessions: ["--all"],
  status: [],
  version: [],
};

const ACTS: Readonly<Record<string, string>> = {
  "adapter bundle": "writes a bundle",
  "adapter keygen": "writes a key",
  "adapter new": "writes an adapter file",
  "adapter trust": "agrees to an adapter file",
  "adapter update": "installs a bundle",
  answer: "answers",
  "channel add": "pairs over a running hub",
  "channel remove": "changes the configuration",
  "channel test": "posts a message",
  "channel trust": "confirms an address in the ledger",
  console: "opens a session to commands",
  "db archive": "copies the ledger",
  "delegate end": "changes who may answer",
  "delegate to": "changes who may answer",
  demo: "runs an agent with a hub of its own",
  exec: "runs a tool",
  "grants revoke": "ends a grant",
  "hub install": "writes a service file",
  "hub reload": "has the hub read its files",
  "hub start": "starts the hub",
  "lab capture": "records a running session",
  "lab import": "writes a scenario",
  "lab record": "runs a tool",
  "lab update": "writes scenarios",
  mcp: "asks for agents",
  mode: "changes whether rules answer",
  pause: "stops answers",
  "people add": "changes the configuration",
  "people merge": "changes the configuration",
  "people remove": "changes the configuration",
  "people role": "changes the configuration",
  "policy init": "writes a policy file",
  resume: "allows answers",
  run: "runs a tool",
  send: "types a command",
  setup: "pairs over a running hub",
  watch: "waits until it is ended: tried below",
};

function listCommands(command: Command, path: string): string[] {
  return command.commands.flatMap((each) => {
    const name = `${path} ${each.name()}`.trim();
    return each.commands.length === 0 ? [name] : listCommands(each, name);
  });
}

const home = new HubHome();
writeFileSync(join(home.folder, "config.yaml"), "");
afterAll(() => home.close());

/** Whether a hub was started: it makes its files before anything else. */
function hasHub(): boolean {
  return [home.paths.socket, home.paths.hubLog].some((file) => existsSync(file));
}

it("every command is in the table", () => {
  expect([...Object.keys(READ_ONLY), ...Object.keys(ACTS)].sort()).toEqual(
    listCommands(describeCli(), "").sort(),
  );
});

describe("no hub is started by", () => {
  it.each(Object.entries(READ_ONLY))("%s", async (path, args) => {
    await home.run(...path.split(" "), ...args);
    expect(hasHub()).toBe(false);
  });

  it("watch, which waits for one", async () => {
    const watch = home.start("watch");
    let printed = "";
    watch.stdout?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    await eventually(() => printed.includes("no hub is running"));
    expect(hasHub()).toBe(false);
  });

  it("the help of any command", async () => {
    for (const words of [["--help"], ["run", "--help"], ["help"], ["--version"]]) await home.run(...words);
    expect(hasHub()).toBe(false);
  });

  it("a wrong command, or one for the chat", async () => {
    for (const word of ["statsu", "stop", "run"]) await home.run(word);
    expect(hasHub()).toBe(false);
  });
});

it("a command that acts is seen to start one", async () => {
  await home.run("pause");
  expect(hasHub()).toBe(true);
});
