/** A new tool is supported by one YAML file and one scenario, without a build, and `adapter new` and `adapter check` help to write them. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AdapterCheck } from "../../prompt-lab/check/check-adapter.js";
import type { ListedPrompt } from "../../src/wire/listings.js";
import { eventually, HubHome } from "../support/hub-home.js";

/** Nobody has heard of it: it asks in a way of its own, and writes down what it was told. */
const TOOL = `#!/usr/bin/env node
import { writeFileSync } from "node:fs";
process.stdin.setRawMode(true);
process.stdout.write("~~~ frobnicate ~~~\\r\\ndrop table users\\r\\n\\r\\nShall I?\\r\\n");
process.stdout.write("▶ 1. Do it\\r\\n  2. Leave it\\r\\n\\u001b[2A\\r");
process.stdin.on("data", (bytes) => {
  const key = bytes.toString();
  if (!/^[12]$/.test(key)) return;
  writeFileSync(process.argv[2], key);
  process.stdout.write("\\u001b[2J\\u001b[Hdone\\r\\n");
  process.stdin.setRawMode(false);
  process.stdin.pause();
});
`;

const ADAPTER = `
schema: 1
name: frobnicate
version: 1.0.0
description: A tool that nobody has heard of
family: agent
process: { executable: frobnicate }
rules:
  - name: drop
    shape: list
    class: permission
    confidence: HIGH
    list: { glyphs: ["▶"], numbers: required, live: [cursor] }
    top: "^~~~ frobnicate ~~~$"
    question: "^Shall I\\\\?$"
    choices:
      - { label: "^Do it$", intent: allow_once }
      - { label: "^Leave it$", intent: reject_once }
`;

const SCENARIO = {
  tool: "frobnicate",
  scenario_id: "frobnicate_drop",
  pty_output:
    "~~~ frobnicate ~~~\r\ndrop table users\r\n\r\nShall I?\r\n▶ 1. Do it\r\n  2. Leave it\r\n\u001b[2A\r",
  expected_type: "multiple_choice",
  expected_choices: ["Do it", "Leave it"],
  expected_content_contains: ["drop table users"],
  replies: [{ value: "2", expected_keys: ["2"] }],
};
const QUIET = {
  tool: "frobnicate",
  scenario_id: "frobnicate_quiet",
  pty_output: "Shall I?\r\n▶ 1. Do it\r\n  2. Leave it\r\nI did.\r\n",
  expected_type: null,
  expected_count: 0,
};

describe("a tool that has no adapter yet", () => {
  let home: HubHome;
  const put = (path: string, text: string): string => {
    const file = join(home.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  beforeAll(() => {
    home = new HubHome();
    const tool = put("bin/frobnicate", TOOL);
    put("bin/package.json", '{ "type": "module" }');
    chmodSync(tool, 0o755);
    Object.assign(home.env, { PATH: `${dirname(tool)}:${process.env.PATH ?? ""}` });
  });
  afterAll(() => home.close());

  const check = () => home.run("adapter", "check", "frobnicate");

  it("has no adapter at first", async () => {
    expect(await check()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no adapter is named") as string,
    });
  });

  it("is listed with its adapter file, and the check fails as no scenario shows it", async () => {
    put("adapters/frobnicate.yaml", ADAPTER);
    const { code, stdout } = await check();
    expect(code).toBe(1);
    expect(stdout).toContain("no scenario shows what it does");
  });

  it("passes the check once one scenario shows a prompt and another one shows none", async () => {
    put("scenarios/frobnicate/drop.json", JSON.stringify(SCENARIO));
    expect((await check()).stdout).toContain("no scenario shows that it stays silent");
    put("scenarios/frobnicate/quiet.json", JSON.stringify(QUIET));
    const [checked] = await home.data<AdapterCheck[]>("adapter", "check", "frobnicate");
    expect(checked).toEqual({
      name: "frobnicate",
      scenarios: 2,
      silent: 1,
      rules: [{ rule: "drop", scenarios: 1 }],
      problems: [],
      notes: [],
    });
    expect((await home.run("lab", "run", "--tool", "frobnicate")).stdout).toContain("all 2 passed");
    expect((await home.run("adapter", "list")).stdout).toMatch(/^frobnicate .*\(yours\)$/m);
  });

  it("is supervised at once without a build: its prompt is raised and answered", async () => {
    const log = join(home.folder, "log");
    expect(await home.run("run", "frobnicate", log)).toMatchObject({ code: 6 });
    expect(await home.run("adapter", "trust", "frobnicate")).toMatchObject({ code: 0 });
    const run = home.start("run", "frobnicate", log);
    // The run starts the hub; `prompts` does not.
    await eventually(() => home.hubPid());
    const prompt = await eventually(async () => (await home.data<ListedPrompt[]>("prompts"))[0] ?? null);
    expect(prompt).toMatchObject({
      tool: "frobnicate",
      type: "multiple_choice",
      safetyClass: "permission",
      excerpt: "Shall I?",
      content: { text: "drop table users", cut: null },
      choices: [
        { index: 1, label: "Do it", intent: "allow_once" },
        { index: 2, label: "Leave it", intent: "reject_once" },
      ],
    });
    const answered = await home.run("answer", prompt.shortId, "2", "--wait");
    expect(answered).toMatchObject({ code: 0 });
    await eventually(() => existsSync(log) && readFileSync(log, "utf8") === "2");
    await new Promise((resolve) => (run.exitCode === null ? run.once("exit", resolve) : resolve(null)));
  });
});

describe("adapter new", () => {
  let home: HubHome;
  beforeAll(() => void (home = new HubHome()));
  afterAll(() => home.close());

  it("writes a commented adapter that passes its check, and overwrites none", async () => {
    expect((await home.run("adapter", "new", "Fancy Tool")).stderr).toContain("is not a valid adapter name");
    expect((await home.run("adapter", "new", "claude")).stderr).toContain('adapter "claude" already');
    const made = await home.run("adapter", "new", "fancy", "--executable", "fancy-cli");
    expect(made.code).toBe(0);
    expect((await home.run("adapter", "check", "fancy")).stdout).toMatch(
      /^✓ fancy {2}rules: 1, scenarios: 2, silent: 1/,
    );
    const shown = (await home.run("adapter", "show", "fancy")).stdout;
    expect(shown).toContain("fancy-cli");
    expect(shown).toContain("permission");
    expect((await home.run("adapter", "new", "fancy")).code).toBe(1);
    expect((await home.run("adapter", "show", "fancyy")).stderr).toContain('Did you mean "fancy"?');
  });

  it("writes a commented program file that passes its check, and overwrites none", async () => {
    const made = await home.run("adapter", "new", "toycalc", "--program", "--executable", "toy-calc");
    expect(made).toMatchObject({ code: 0 });
    expect((await home.run("adapter", "check", "toycalc")).stdout).toMatch(/^✓ toycalc {2}tests: 5 /);
    expect((await home.run("adapter", "show", "toycalc")).stdout).toContain("toy-calc");
    expect((await home.run("adapter", "test", "toycalc")).stdout).toContain(
      "skipped: the executable of toycalc was not found (toy-calc, toycalc)",
    );
    expect((await home.run("adapter", "new", "bash", "--program")).stderr).toContain(
      'program file "bash" already exists',
    );
    expect((await home.run("adapter", "new", "../x", "--program")).stderr).toContain("is not a valid name");
    expect((await home.run("adapter", "check", "bash", "claude")).stdout).toMatch(/✓ bash {2}tests: \d/);
  });

  it("names the mistake of a file before those of scenarios that are not labelled yet", async () => {
    const draft = join(home.folder, "draft.json");
    writeFileSync(draft, JSON.stringify({ tool: "fancy", scenario_id: "fancy_draft", pty_output: "?" }));
    expect((await home.run("adapter", "check", "fancy", "--scenarios", draft)).stderr).toContain(
      "expected_type",
    );
    const broken = join(home.folder, "broken.yaml");
    writeFileSync(broken, "schema: 1\nnaem: broken\n");
    const checked = await home.run("adapter", "check", broken, "--scenarios", draft);
    expect(checked).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('unknown key "naem"') as string,
    });
  });

  it("writes a file whose mistakes a check names", async () => {
    const binary = join(home.folder, "binary.yaml");
    writeFileSync(binary, Buffer.from([0xff, 0xfe, 0x00]));
    expect((await home.run("adapter", "check", binary)).stdout).toContain("is not UTF-8 text");
    const missing = await home.run("adapter", "check", join(home.folder, "missing.yaml"));
    expect(missing.stderr).toContain("missing.yaml does not exist");
  });
});
