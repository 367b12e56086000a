/**
 * The configuration has defaults without a file, and is refused with a pipe in its place, progress lines that are too frequent,
 * or one identity with two roles.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig, parseConfig, readSections } from "../../../src/config/load.js";
import { buildConfigSchema } from "../../../src/config/schema.js";
import { resolvePaths } from "../../../src/config/paths.js";

describe("the configuration", () => {
  it("is its defaults where there is no file", () => {
    const config = loadConfig({ file: "no-such.yaml", channels: {}, env: {}, secrets: "resolve" });
    expect(config).toMatchObject({ people: [], channels: {}, prompts: { expires_after: 1_800_000 } });
  });

  it("is refused, and not waited for, where a pipe stands in its place", () => {
    const folder = mkdtempSync(join(tmpdir(), "config-"));
    const file = join(folder, "config.yaml");
    execFileSync("mkfifo", [file]);
    expect(() => loadConfig({ file, channels: {}, env: {}, secrets: "leave" })).toThrow(
      /is not a regular file/,
    );
    rmSync(folder, { recursive: true });
  });

  it.each([
    ["30", "expected a time with its unit (for seconds write 30s), found 30"],
    ["30 s", 'expected a time with its unit, such as 30s, 5m or 250ms, found "30 s"'],
  ])("says how a time is written where it finds %s", (found, problem) => {
    expect(() => parseConfig(`prompts: { expires_after: ${found} }\n`, "c.yaml", {})).toThrow(problem);
  });

  it("keeps its other sections where one has a mistake, and says whom each mistake concerns", () => {
    const text =
      "prompts: { flood_limit: 7 }\nadapters: { acp: { timeout: 300, enabled: false } }\nexec: { tool: x }\n";
    const { config, hubProblem, agentProblem } = readSections(text, "c.yaml", {});
    expect([config.prompts.flood_limit, config.exec.tool, hubProblem]).toEqual([7, "x", null]);
    expect(agentProblem?.message).toBe(
      'c.yaml:2:29: "adapters.acp.timeout": expected a time with its unit (for seconds write 30s), found 300',
    );
    expect(parseConfig(text, "c.yaml", {}).prompts.flood_limit).toBe(7);
    const other = readSections("people: 5\nadapters: { acp: { enabled: false } }\n", "c.yaml", {});
    expect([other.config.adapters.acp.enabled, other.agentProblem]).toEqual([false, null]);
    expect(other.hubProblem?.message).toMatch(/^c\.yaml:1:9: "people"/);
    expect(() => readSections("5", "c.yaml", {})).toThrow('"the file"');
  });

  // What stands in a wrong place does not count, and may have been a limit of agents, a route or a role.
  it.each([
    ...Object.keys(buildConfigSchema({}).entries).map(
      (section) => `${section}:\n  exec: { turns_per_hour: 2 }\n`,
    ),
    ...["timeout", "constructor", "toString", "__proto__"].map(
      (key) => `${key}: { acp: { enabled: false } }\n`,
    ),
    "prompts:\n  deliver_after:\n    exec: { turns_per_hour: 2 }\n",
    "people:\n  - { name: Ara, identities: [exec: 2], role: viewer }\n",
    "exec:\n  people: []\n",
    "adapters:\n  acp:\n    routes: []\n",
  ])("is used neither by a hub nor for an agent where keys are misplaced: %j", (text) => {
    const { hubProblem, agentProblem } = readSections(text, "c.yaml", {});
    expect(agentProblem?.message).toMatch(/^c\.yaml:\d+:\d+: (unknown key|.* found Object)/m);
    expect(hubProblem?.message).toContain(agentProblem?.message);
  });

  it("has no progress lines that are more often than a chat takes edits", () => {
    const withEvery = (every: string) =>
      parseConfig(`conversation:\n  progress_every: ${every}\n`, "c.yaml", {});
    expect(() => withEvery("1s")).toThrow(/progress_every.*5s and more/s);
    expect([withEvery("0s"), withEvery("5s")].map((config) => config.conversation.progress_every)).toEqual([
      0, 5_000,
    ]);
  });

  it.each([
    ["{ programs: [bash] }", '"agents.may_start.0.paths" is missing'],
    ["{ programs: [bash], paths: [work] }", "expected an absolute path, or one that begins with ~/"],
    ["{ programs: [bin/bash], paths: [/] }", "expected a name such as python3, an absolute path"],
    ["{ programs: [bash], paths: [] }", "for every folder write [/]"],
    ["{ program: [bash], paths: [/] }", 'did you mean "programs"'],
  ])("refuses %s as what agents may start", (entry, problem) => {
    const text = `agents: { may_start: [${entry}] }\n`;
    expect(() => parseConfig(text, "c.yaml", {})).toThrow(problem);
  });

  it("does not let one identity have two roles", () => {
    const people = ["approver", "viewer"].map(
      (role, at) => `  - { name: P${at}, identities: [x:1], role: ${role} }`,
    );
    expect(() => parseConfig(`people:\n${people.join("\n")}\n`, "c.yaml", {})).toThrow(
      'c.yaml: "x:1" is listed for P0 and for P1',
    );
  });

  it("lies in the account's home when HOME is empty", () => {
    const before = process.env["HOME"];
    process.env["HOME"] = "";
    try {
      expect(resolvePaths().configDir).toMatch(/^\//);
    } finally {
      process.env["HOME"] = before;
    }
  });
});
