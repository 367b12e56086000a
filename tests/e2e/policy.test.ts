/**
 * Rules act with a real hub, worker and terminal; the commands on policies say what they would do; and a hub follows a policy file
 * from a reload on, never an invalid one.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ListedPrompt } from "../../src/wire/listings.js";
import { FakeWorker } from "../support/fake-worker.js";
import { eventually, HubHome } from "../support/hub-home.js";
import { commandPrompt } from "../support/policy/policies.js";
import { withRig } from "../support/rig/rig.js";

const POLICY = `version: 1
mode: full
rules:
  - id: safe-commands
    match: { class: permission, command: [git status, npm test, ls] }
    answer: allow_once
    max: 2
  - id: never-force-push
    match: { command: [git push --force] }
    deny: "Force-pushing is not allowed here."
`;

describe.concurrent("a rule, with a tool in a terminal", () => {
  const withPolicy = (rules: string, work: Parameters<typeof withRig>[0]) =>
    withRig(async (rig) => {
      writeFileSync(rig.home.paths.policy, `version: 1\nmode: full\nrules:\n${rules}`);
      await work(rig);
    });

  const SCRIPT = `printf 'Deploy to production? [y/N] '; read a; echo "got <$a>"`;
  const state = async (home: HubHome) => (await home.data<ListedPrompt[]>("prompts", "--all"))[0]?.state;

  it("answers the very prompt, confirmed by its effect, and nobody is asked", () =>
    withPolicy(
      "  - { id: deploy, match: { tool: sh, text: 'Deploy to' }, answer: allow_once }\n",
      async (rig) => {
        const run = rig.run(["sh", "-c", SCRIPT]);
        await run.terminal.waitFor(/got <y>/);
        await eventually(async () => (await state(rig.home)) === "answered");
        expect(rig.phone.notices).toEqual([]);
      },
    ));

  it("denies with the choice that rejects", () =>
    withPolicy("  - { id: no-deploy, match: { text: production }, deny: true }\n", async (rig) => {
      const run = rig.run(["sh", "-c", SCRIPT]);
      await run.terminal.waitFor(/got <n>/);
    }));

  it("types nothing while paused, and says on the phone what it would answer", () =>
    withPolicy("  - { id: deploy, match: { tool: sh }, answer: allow_once }\n", async (rig) => {
      expect((await rig.home.run("hub", "start")).code).toBe(0);
      expect((await rig.home.run("pause")).code).toBe(0);
      const run = rig.run(["sh", "-c", SCRIPT]);
      const card = await run.card();
      expect(card.text).toContain("Rule deploy would answer: Yes.");
      expect(await state(rig.home)).toBe("pending");
      expect((await rig.home.run("resume")).code).toBe(0);
      await card.press(2);
      await run.terminal.waitFor(/got <n>/);
    }));
});

describe("the commands", () => {
  let home: HubHome;
  let worker: FakeWorker;
  let file: string;
  beforeAll(async () => {
    home = new HubHome();
    file = join(home.folder, "other.yaml");
    writeFileSync(file, POLICY);
    worker = new FakeWorker(home.paths, { label: "api" });
    await eventually(() => worker.link.state === "connected");
  });
  afterAll(async () => {
    worker.close();
    await home.close();
  });

  const test = (command: string): Promise<object> =>
    home.data("policy", "test", "--policy", file, "--command", command);
  const commandParts = (line: string) => {
    const { content, safetyClass, choices, constraints } = commandPrompt(line);
    return { content, safetyClass, choices, constraints };
  };
  const raise = async (line: string): Promise<string | undefined> => {
    const { content, safetyClass, choices, constraints } = commandPrompt(line);
    const shortId = await worker.raise({ content, safetyClass, choices, constraints });
    const state = async () =>
      (await home.data<ListedPrompt[]>("prompts", "--all")).find((each) => each.shortId === shortId)?.state;
    await eventually(async () => !["detected", "answering", "injecting"].includes((await state()) ?? ""));
    return state();
  };

  it("policy test prints verdict, rule and reason, and nothing else", async () => {
    const answered = await test("git status -s");
    expect(answered).toMatchObject({ verdict: "answer", rule: "safe-commands" });
    expect(Object.keys(answered).sort()).toEqual(["reason", "rule", "verdict"]);
    expect(await test("git statusx")).toMatchObject({ verdict: "ask", rule: null });
    expect(await test("ls; git push --force")).toMatchObject({ verdict: "deny", rule: "never-force-push" });
    const shown = await home.run("policy", "test", "--policy", file, "--command", "ls && touch x");
    expect(shown.stdout).toMatch(/^ask\n {2}no rule answers it \(safe-commands: .*touch x is not listed/);
  });

  it("policy test judges a prompt on record, and every prompt of a recording", async () => {
    const shortId = await worker.raise({ ...commandParts("ls -la") });
    const onRecord = (id: string) => home.run("policy", "test", "--policy", file, "--prompt", id, "--json");
    const { stdout } = await onRecord(shortId.toUpperCase());
    expect(JSON.parse(stdout)).toMatchObject({
      status: "success",
      data: { verdict: "answer", rule: "safe-commands" },
    });
    expect(await onRecord("zz9")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no prompt zz9 is on record") as string,
    });
    const scenario = "prompt-lab/scenarios/codex/add-two-files-80x24-0.169.0.json";
    const all = { verdict: "ask", rule: "all" };
    const asks = join(home.folder, "asks.yaml");
    writeFileSync(asks, "version: 1\nrules:\n  - { id: all, match: { class: permission }, ask: true }\n");
    const recorded = await home.data<{ tool: string; prompts: object[] }>(
      ...["policy", "test", "--policy", asks, "--scenario", scenario],
    );
    expect(recorded.tool).toBe("codex");
    expect(recorded.prompts).toEqual([expect.objectContaining(all)]);
    const both = await home.run("policy", "test", "--command", "ls", "--prompt", shortId);
    expect(both.stderr).toContain("name one of --command, --prompt and --scenario");
    expect((await home.run("policy", "test")).code).toBe(1);
  });

  it("policy init writes a preset once, and policy check finds rules that never act", async () => {
    expect(await home.run("policy", "init", "--preset", "read-only-auto")).toMatchObject({ code: 0 });
    expect(readFileSync(home.paths.policy, "utf8")).toContain("read-commands");
    expect(await home.run("policy", "init")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("exists already") as string,
    });
    expect((await home.run("policy", "check")).stdout).toContain("2 rules, mode full, no errors\n");
    writeFileSync(
      file,
      `${POLICY}  - { id: late, match: { command: [git push --force], tool: claude }, deny: true }\n`,
    );
    expect((await home.run("policy", "check", file)).stdout).toContain(
      "late: it never acts: rule never-force-push above it",
    );
    writeFileSync(file, "version: 1\nrules:\n  - id: a\n    match: { comand: ls }\n    ask: true\n");
    expect(await home.run("policy", "check", file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("other.yaml:4:14") as string,
    });
  });

  it("a hub follows the file from a reload on, keeps its rules when a file is wrong, and says where", async () => {
    writeFileSync(home.paths.policy, POLICY);
    expect(await raise("ls")).toBe("pending");
    expect((await home.run("hub", "reload")).stdout).toContain("policy");
    expect(await raise("ls -a")).toBe("answered");
    writeFileSync(home.paths.policy, POLICY.replace("max: 2", "max: two"));
    expect(await home.run("hub", "reload")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/policy\.yaml:7:10.*max/) as string,
    });
    const status = async () => (await home.run("status")).stdout;
    expect(await status()).toMatch(
      /^⚠ the last reload was refused, and what the hub read before still holds .*\n {4}\S*policy\.yaml:7:10: .*max/m,
    );
    expect(await raise("ls -b")).toBe("answered");
    expect(await raise("ls -c")).toBe("pending");
    writeFileSync(home.paths.policy, POLICY);
    expect((await home.run("hub", "reload")).code).toBe(0);
    expect(await status()).not.toContain("refused");
    expect(worker.replies.map(({ value, channelIdentity }) => [value, channelIdentity])).toEqual([
      ["1", "auto:policy"],
      ["1", "auto:policy"],
    ]);
  });

  it("explain, replay and stats read what was asked", async () => {
    writeFileSync(file, POLICY);
    const shortId = await worker.raise({ ...commandParts("npm run build") });
    expect((await home.run("answer", shortId, "1", "--wait")).code).toBe(0);
    const { stdout } = await home.run("policy", "explain", shortId, "--policy", file);
    expect(stdout).toMatch(/^verdict: ask$/m);
    expect(stdout).toMatch(/^ {2}safe-commands\s+answer\s+no\s+command: npm run build is not listed$/m);
    expect(stdout).toContain("a grant may answer it");
    expect((await home.run("policy", "explain", "zz9", "--policy", file)).stderr).toContain(
      "no prompt zz9 is on record",
    );
    const replayed = await home.data<{ prompts: number }>("policy", "replay", "--policy", file);
    expect(replayed.prompts).toBeGreaterThan(0);
    expect((await home.run("policy", "stats", "--since", "1h")).stdout).toMatch(
      /^\d+ prompts?: \d+ answered by people/,
    );
    expect((await home.run("policy", "stats", "--since", "soon")).code).toBe(1);
  });

  it("mode turns rules off for a session, but a supervised tool cannot turn them on", async () => {
    expect(await home.run("mode", "api", "off")).toMatchObject({ code: 0, stdout: "api: off\n" });
    expect(await raise("git push --force")).toBe("pending");
    Object.assign(home.env, { ATLASBRIDGE_SESSION: "some-session" });
    expect(await home.run("mode", "api", "full")).toMatchObject({ code: 6 });
    Object.assign(home.env, { ATLASBRIDGE_SESSION: "" });
    expect(await home.run("mode", "api", "full")).toMatchObject({ code: 0 });
    expect(await raise("git push origin --force")).toBe("answered");
    expect(worker.replies.at(-1)).toMatchObject({ value: "3" });
  });
});
