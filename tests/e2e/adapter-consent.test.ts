/** An adapter file of the user is a program: the first run asks, and so does the first one after a change. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { finished, HubHome, MAIN } from "../support/hub-home.js";
import { RealTerminal } from "../support/real-cli/terminal.js";

const ADAPTER = `
schema: 1
name: newtool
version: 1.0.0
description: A tool of a file that somebody copied
family: agent
process: { executable: newtool, env: { NEWTOOL_ADDED: "a\\nb\\e[2J", NODE_OPTIONS: "--no-warnings" } }
acp: { command: [newtool, --acp] }
headless:
  display_name: New tool
  talk: { speaks: acp }
  command: [--task]
  prompt_args: ["{prompt}"]
  tools: []
rules: []
`;
const PROGRAM = readFileSync("adapters/programs/dash.yaml", "utf8")
  .replace(/^name: dash$/m, "name: newshell")
  .replace(/^process:$/m, "process:\n  executable: sh");
const QUESTION = /Run it\? \[y\/N\]/;
const DENIED = { code: 6, stdout: "" };

let home: HubHome;
let file: string;
let started: string;

beforeEach(() => {
  home = new HubHome();
  file = put("adapters/newtool.yaml", ADAPTER);
  started = join(home.folder, "started");
  const tool = put(
    "bin/newtool",
    `#!/bin/sh\necho "$@" >> ${started}\necho ready\nread a\necho "got <$a>"\n`,
  );
  chmodSync(tool, 0o755);
  Object.assign(home.env, { PATH: `${dirname(tool)}:${process.env.PATH ?? ""}` });
});
afterEach(() => home.close());

function put(path: string, text: string): string {
  const place = join(home.folder, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
  return place;
}

const starts = (): number => (existsSync(started) ? readFileSync(started, "utf8").split("\n").length - 1 : 0);

/** With a terminal, at which the work answers. */
async function atTerminal(args: string[], work: (terminal: RealTerminal) => Promise<void>) {
  const env = Object.fromEntries(Object.entries(home.env).map(([name, value]) => [name, value ?? ""]));
  const command = { file: process.execPath, args: [MAIN, ...args], cwd: home.folder, env };
  const terminal = new RealTerminal(command);
  try {
    await work(terminal);
    return { code: await terminal.exited, screen: terminal.screen };
  } finally {
    await terminal.close();
  }
}

const RUN = ["run", "--no-relay", "newtool"];
const use = async (terminal: RealTerminal): Promise<void> => {
  await terminal.waitFor(/ready/);
  terminal.press("words\r");
  await terminal.waitFor(/got <words>/);
};
const answer =
  (key: string) =>
  async (terminal: RealTerminal): Promise<void> => {
    await terminal.waitFor(QUESTION);
    terminal.press(`${key}\r`);
  };

describe("a new adapter file of the user, at a terminal", () => {
  it("is run only after a yes, which holds until the file is changed", async () => {
    const denied = await atTerminal(RUN, answer("n"));
    expect(denied.code).toBe(6);
    expect(denied.screen).toContain(file);
    expect(denied.screen).toMatch(/starts {2}newtool\n {2}starts {2}newtool --acp\n/);
    expect(denied.screen).toContain("sets    NEWTOOL_ADDED=a‹U+000A›b‹U+001B›[2J");
    expect(denied.screen).toContain("sets    NODE_OPTIONS=--no-warnings");
    expect(denied.screen).toContain("ATB_ADAPTER_UNTRUSTED");
    expect(starts()).toBe(0);

    // The tool gets what is typed after the answer.
    const agreed = await atTerminal(RUN, async (terminal) => {
      await answer("y")(terminal);
      await use(terminal);
    });
    expect(agreed.code).toBe(0);
    expect(statSync(home.paths.agreedAdapters).mode & 0o777).toBe(0o600);
    expect((await atTerminal(RUN, use)).screen).not.toMatch(QUESTION);
    expect(starts()).toBe(2);

    appendFileSync(file, "# edited\n");
    const changed = await atTerminal(RUN, answer(""));
    expect(changed.screen).toContain("was changed since you agreed to run it");
    expect([changed.code, starts()]).toEqual([6, 2]);
  });

  it("is not asked about by a supervised tool's own terminal", async () => {
    home.env.ATLASBRIDGE_SESSION = "of a test";
    const { code, screen } = await atTerminal(RUN, () => Promise.resolve());
    expect(screen).not.toMatch(QUESTION);
    expect(screen.replaceAll("\n", "")).toContain("outside of any session");
    expect([code, starts()]).toEqual([6, 0]);
  });
});

describe("a new adapter file of the user, without a terminal", () => {
  it.each([
    ["run", RUN],
    ["run --adapter", ["run", "--no-relay", "--adapter", "newtool", "sh", "-c", "echo > started"]],
    ["run --runtime acp", ["run", "--no-relay", "--runtime", "acp", "newtool"]],
    ["run --runtime acp --list-sessions", ["run", "--runtime", "acp", "--list-sessions", "newtool"]],
    ["exec", ["exec", "--no-relay", "newtool", "--prompt", "x"]],
  ])("is refused by %s, which says what to do", async (_, args) => {
    const refused = await home.run(...args);
    expect(refused).toMatchObject(DENIED);
    expect(refused.stderr).toContain(`${file} is new, and you have not agreed to run it`);
    expect(refused.stderr).toContain(`atlasbridge adapter trust ${file}`);
    expect(starts()).toBe(0);
  });

  it("is run after `adapter trust`, which nothing below a supervised tool may use", async () => {
    home.env.ATLASBRIDGE_SESSION = "of a test";
    expect(await home.run("adapter", "trust", "newtool")).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("ATB_SUPERVISED") as string,
    });
    home.env.ATLASBRIDGE_SESSION = "";
    const trusted = await home.run("adapter", "trust", file);
    expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining("NODE_OPTIONS") as string });
    const run = home.start(...RUN);
    run.stdin?.end("words\n");
    expect(await finished(run)).toMatchObject({ code: 0 });
    expect(starts()).toBe(1);
  });

  it("is looked at without a question", async () => {
    for (const command of ["check", "show"])
      expect((await home.run("adapter", command, "newtool")).stderr).not.toContain("agreed");
    const doctor = await home.run("doctor");
    expect(doctor.stdout).toContain(`yours (${file}), which asks before it is run`);
    const dry = await home.run("exec", "--dry-run", "newtool", "--prompt", "x");
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    expect(starts()).toBe(0);
  });

  it("is refused also where it is a shell's, by `run --console` and `adapter test`", async () => {
    const shell = put("adapters/programs/newshell.yaml", PROGRAM);
    const refused = await home.run("run", "--no-relay", "--console", "newshell");
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining(`${shell} is new`) as string });
    const tested = await home.run("adapter", "test", "newshell");
    expect(tested).toMatchObject({ code: 1, stdout: expect.stringContaining(`${shell} is new`) as string });
    expect(await home.run("adapter", "trust", "newshell")).toMatchObject({ code: 0 });
    expect((await home.run("adapter", "test", "newshell")).stdout).not.toContain("is new");
  });

  it("is no file of the package", async () => {
    expect(await home.run("adapter", "trust", "claude")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no adapter file of yours") as string,
    });
  });
});
