/**
 * Rules judge where paths really lie, with real symbolic links in a real folder: `..` behind a link leads to the directory above its
 * target, a short option may have a link attached, and what does not exist yet lies behind its directory.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parsePolicy } from "../../../src/hub/policy/load-policy.js";
import type { PolicyWorld } from "../../../src/hub/policy/subject.js";
import { resolveLinks } from "../../../src/policy/policy-world.js";
import { PRESET_TEXTS } from "../../../src/policy/presets.js";
import { callPrompt, commandPrompt, judge, parseRules } from "../../support/policy/policies.js";

const top = realpathSync(mkdtempSync(join(tmpdir(), "atlasbridge-links-")));
const [home, outside] = [join(top, "home"), join(top, "outside")];
const [project, own] = [join(home, "project"), join(home, ".config", "atlasbridge")];
for (const folder of [join(project, "src"), join(own, "adapters"), join(outside, "inner")])
  mkdirSync(folder, { recursive: true });
for (const file of [join(project, "a.txt"), join(outside, "notes"), join(own, "policy.yaml")])
  writeFileSync(file, "x");
symlinkSync(join(own, "adapters"), join(project, "al"));
symlinkSync(join(outside, "inner"), join(project, "link"));
symlinkSync(join(outside, "new"), join(project, "missing"));
symlinkSync("link", join(project, "again"));
symlinkSync("..", join(project, "src", "up"));
writeFileSync(join(project, ".env"), "KEY=1");
symlinkSync(".env", join(project, "ok.txt"));
afterAll(() => rmSync(top, { recursive: true }));

const world: PolicyWorld = { home, resolveLinks, ownPaths: [own] };
const session = { cwd: project };
const COPY = parseRules("\n  - { id: r, match: { command: [cp, cat, ls], path: . }, answer: allow_once }\n");
const ANY = parseRules("\n  - { id: r, match: { class: permission }, answer: allow_once }\n");
const READING = parsePolicy(PRESET_TEXTS["read-only-auto"], "policy.yaml", null);
const answers = (policy: typeof COPY, line: string): boolean =>
  judge(policy, commandPrompt(line), { world, session }).kind === "answer";

describe("where a path really lies", () => {
  it.each([
    ["project/a.txt", "project/a.txt"],
    ["project/link/notes", "../outside/inner/notes"],
    ["project/link/../notes", "../outside/notes"],
    ["project/again/../notes", "../outside/notes"],
    ["project/missing", "../outside/new"],
    ["project/missing/x/../y", "../outside/new/y"],
    ["project/src/up/a.txt", "project/a.txt"],
    ["project/src/up/../x", "x"],
    ["project/new/deep", "project/new/deep"],
    ["project/./src//up/", "project"],
  ])("%s is %s", (path, real) => expect(resolveLinks(join(home, "/") + path)).toBe(join(home, real)));

  it("of links in a circle is known to nobody, and nothing waits for it", () => {
    symlinkSync("round", join(project, "round"));
    expect(resolveLinks(join(project, "round", "x"))).toContain("round");
  });
});

describe("a rule that answers", () => {
  it.each(["cat a.txt", "cp a.txt src/b.txt", "cat src/up/a.txt", "ls -la src", "cp -p a.txt src"])(
    "answers %s, which stays in the directory",
    (line) => expect(answers(COPY, line)).toBe(true),
  );

  it.each([
    "cp a.txt link/x",
    "cp a.txt link/../x",
    "cat link/../notes",
    "cat again/../notes",
    "cp a.txt missing",
    "cp a.txt -tlink",
    "cp -vtlink a.txt",
    "cp a.txt -t link",
    "cp a.txt --target-directory=link",
    "cat src/up/../x",
  ])("leaves %s to people, which leads elsewhere", (line) => expect(answers(COPY, line)).toBe(false));

  it.each([
    "rg url .git",
    "rg url ./.git",
    "rg url src/../.git",
    "cat kubeconfig",
    "cat .my.cnf",
    "cat a.ppk",
  ])("leaves %s to people, which may print secrets", (line) => expect(answers(READING, line)).toBe(false));

  it("knows the folder of git in calls, and takes no other name for it", () => {
    const read = (tool: string, input: object): string =>
      judge(READING, callPrompt(tool, input), { world, session }).kind;
    expect(read("Grep", { pattern: "url", path: ".git" })).toBe("ask");
    expect(read("Read", { file_path: join(project, ".git") })).toBe("ask");
    expect(read("Read", { file_path: ".gitignore" })).toBe("answer");
    for (const line of ["cat .gitignore", "ls .github", "cat .git-blame-ignore-revs"])
      expect([line, answers(READING, line)]).toEqual([line, true]);
  });

  it("leaves calls that lead elsewhere to people as well", () => {
    const read = (path: string) =>
      judge(READING, callPrompt("Read", { file_path: path }), { world, session }).kind;
    expect(read("src/up/a.txt")).toBe("answer");
    expect(read("link/../notes")).toBe("ask");
    expect(read(`${project}/link/../notes`)).toBe("ask");
  });
});

it("the preset that reads sees through a link to a file with secrets, and does not mind the names above the project", () => {
  expect(answers(READING, "cat a.txt")).toBe(true);
  expect(answers(READING, "cat ok.txt")).toBe(false);
  const called = judge(READING, callPrompt("Read", { file_path: "ok.txt" }), { world, session });
  expect(called.kind).toBe("ask");
  const secret = join(home, "token-service");
  mkdirSync(secret, { recursive: true });
  const there = { world, session: { cwd: secret } };
  expect(judge(READING, commandPrompt("cat a.txt"), there).kind).toBe("answer");
});

describe("our own files", () => {
  it.each([
    "cp a.txt al/../policy.yaml",
    "cp a.txt -tal",
    "cp a.txt -vtal",
    "cp a.txt al/x.yaml",
    "dd if=a.txt of=al/../policy.yaml",
    "rsync a.txt local:al",
    "cp a.txt a*/policy.yaml",
  ])("are left to people behind a link: %s", (line) => {
    expect(answers(ANY, line)).toBe(false);
    expect(answers(COPY, line)).toBe(false);
  });
});

describe("a rule that forbids", () => {
  it("finds what lies behind a link and `..`", () => {
    const rules = parseRules(`\n  - { id: r, match: { path: ${outside} }, deny: true }\n`);
    for (const line of ["cat link/../notes", "cp a.txt -tlink", "cat again/x"])
      expect(judge(rules, commandPrompt(line), { world, session }).kind).toBe("deny");
    expect(judge(rules, commandPrompt("cat a.txt"), { world, session })).toMatchObject({ rule: "default" });
  });
});
