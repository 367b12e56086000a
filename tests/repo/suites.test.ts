/**
 * Every file of tests runs in one project, every project is run by a script of the package, and the gate or `npm run verify` runs
 * each script but those that are run by hand.
 */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import config from "../../vitest.config.js";
import { QUARANTINE } from "../support/suites/quarantine.js";
import { SLOW } from "../support/suites/slow.js";
import { listFiles } from "./files.js";

const PROJECTS = config.test?.projects?.flatMap((project) =>
  typeof project === "object" && "test" in project ? [project.test] : [],
);
/** Run by hand, for hours or with real tools: CI leaves them out. */
const BY_HAND = ["long-wait", "real"];
const scripts = (
  JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Readonly<Record<string, string>> }
).scripts;

describe("the suites", () => {
  it("each project is run by a script of the package", () => {
    const run = Object.values(scripts).flatMap((script) => [...script.matchAll(/--project ([\w-]+)/g)]);
    const names = PROJECTS?.map(({ name }) => name) ?? [];
    expect(names.length).toBeGreaterThan(10);
    expect([...run.map(([, name]) => name)].sort()).toEqual(names.sort());
  });

  it("the gate or verify runs each script of tests but those that are run by hand", () => {
    const [gate, verify] = [readFileSync(".ci/run", "utf8"), readFileSync("tests/gate/verify.ts", "utf8")];
    const left = Object.keys(scripts)
      .filter((script) => script.startsWith("test:") && !gate.includes(`npm run ${script}`))
      .filter((script) => !verify.includes(`"${script}"`));
    expect(left.sort()).toEqual(BY_HAND.map((name) => `test:${name}`));
  });

  it("each file of tests runs in exactly one project", () => {
    const files = listFiles("tests").filter((file) => file.endsWith(".test.ts"));
    expect(files.length).toBeGreaterThan(400);
    expect(files.filter((file) => projectsOf(file).length !== 1)).toEqual([]);
  });

  it("each file that the gate names exists, and belongs to the project that it names it for", () => {
    const commands = [...readFileSync(".ci/run", "utf8").matchAll(/npm run test:(\S+) -- ([^"\n]+)/g)];
    const named = commands.flatMap(([, name, files = ""]) =>
      files
        .split(" ")
        .flatMap(expandBraces)
        .map((file) => ({ name, file })),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const { name, file } of named) {
      expect(existsSync(file), file).toBe(true);
      expect(projectsOf(file), file).toEqual([name]);
    }
  });

  it("every slow or quarantined file exists, and nothing is ever tried twice", () => {
    const listed = [...Object.keys(SLOW), ...QUARANTINE.map(({ file }) => file)];
    expect(listed.filter((file) => !existsSync(file))).toEqual([]);
    expect(PROJECTS?.filter(({ retry }) => retry !== undefined)).toEqual([]);
    expect(config.test?.retry).toBeUndefined();
  });

  it("each quarantined file says why and since when, and the gate leaves it out", () => {
    for (const { file, reason, since } of QUARANTINE) {
      expect(reason.length, file).toBeGreaterThan(20);
      expect(since, file).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(projectsOf(file)).toEqual(["quarantined"]);
    }
  });
});

function projectsOf(file: string): (string | undefined)[] {
  const running = PROJECTS?.filter(({ include, exclude }) => runs(file, include, exclude)) ?? [];
  return running.map(({ name }) => (typeof name === "object" ? name.label : name));
}

/** Expands `a{b,c}d` as bash does. */
function expandBraces(word: string): string[] {
  const [, before = "", alternatives, after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(word) ?? [];
  return alternatives?.split(",").map((each) => `${before}${each}${after}`) ?? [word];
}

function runs(file: string, include: readonly string[] = [], exclude: readonly string[] = []): boolean {
  return include.some((glob) => matchesGlob(file, glob)) && !exclude.some((glob) => matchesGlob(file, glob));
}

/** For the two forms in the configuration: a file, and a folder with all below it. */
function matchesGlob(file: string, glob: string): boolean {
  return glob === file || (glob.includes("**") && file.startsWith(glob.replace(/\*\*.*$/, "")));
}
