/**
 * Every folder of tests belongs to a project, every project is run by a script of the package, and CI runs each script but those
 * that are run by hand.
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

  it("CI runs each script of tests but those that are run by hand", () => {
    const ci = readFileSync(".ci/run", "utf8");
    const named = Object.keys(scripts).filter((script) => script.startsWith("test:"));
    const left = named.filter(
      (script) => !ci.includes(`npm run ${script}\n`) && !ci.includes(`npm run ${script} `),
    );
    expect(left.sort()).toEqual(BY_HAND.map((name) => `test:${name}`));
  });

  it("each folder with tests belongs to a project", () => {
    const included = PROJECTS?.flatMap(({ include }) => include ?? []) ?? [];
    const covered = (file: string): boolean =>
      included.some((glob) => glob === file || file.startsWith(glob.replace(/\*\*.*$/, "")));
    const files = listFiles("tests").filter((file) => file.endsWith(".test.ts"));
    expect(files.length).toBeGreaterThan(400);
    expect(files.filter((file) => !covered(file))).toEqual([]);
  });

  it("every slow or quarantined file exists, and only quarantined ones are tried twice", () => {
    const listed = [...Object.keys(SLOW), ...QUARANTINE.map(({ file }) => file)];
    expect(listed.filter((file) => !existsSync(file))).toEqual([]);
    const tried = PROJECTS?.filter(({ retry }) => retry !== undefined).map(({ name }) => name);
    expect(tried).toEqual(["quarantined"]);
    expect(config.test?.retry).toBeUndefined();
  });
});
