/**
 * The folders of tests are named after folders of the source, and every test in one process imports something of the folder that
 * it is named after.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles } from "./files.js";

/** The folders of tests that mirror the tree: below them stands the path of what a test is about. */
const MIRRORS = ["tests/unit", "tests/property", "tests/pty/worker"];
/** What a mirror may reflect: the rooms of `src`, what stands beside `src`, and what tests share. */
const ROOTS = ["src", ".", "tests"];

const suites = MIRRORS.flatMap((mirror) => listFiles(mirror)).filter((file) => file.endsWith(".test.ts"));
const inOneProcess = suites.filter((file) => !file.startsWith("tests/pty/"));

describe("the folders of tests mirror the source", () => {
  it("so that every folder of tests is named after a folder of the code", () => {
    expect(suites.length).toBeGreaterThan(300);
    expect([...new Set(suites.map(dirname))].filter((folder) => mirrored(folder) === undefined)).toEqual([]);
  });

  // Tests in `tests/pty` run programs: what those load, their imports do not show.
  it("so that every test in one process loads something of the folder that it is named after", () => {
    const astray = inOneProcess.filter((suite) => {
      const folder = mirrored(dirname(suite));
      return folder !== undefined && ![...loaded(suite)].some((file) => file.startsWith(`${folder}/`));
    });
    expect(astray).toEqual([]);
  });
});

/** The folder of the code that this folder of tests is named after. */
function mirrored(folder: string): string | undefined {
  const name = folder.replace(/^tests\/[^/]+\/?/, "");
  return name === "" ? undefined : ROOTS.map((root) => join(root, name)).find((place) => existsSync(place));
}

/** All files that a suite loads, through whatever other files. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  for (const target of imports(file)) {
    if (seen.has(target)) continue;
    seen.add(target);
    loaded(target, seen);
  }
  return seen;
}

const imported = new Map<string, readonly string[]>();

function imports(file: string): readonly string[] {
  const known = imported.get(file);
  if (known !== undefined) return known;
  const names = [...readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)\.js"/g)].map(
    ([, path = ""]) => path,
  );
  const found = names.map((path) => `${join(dirname(file), path)}.ts`).filter((path) => existsSync(path));
  imported.set(file, found);
  return found;
}
