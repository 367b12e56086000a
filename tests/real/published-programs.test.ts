/**
 * The published files of the ripple adapter schema, as they stand: each of them is read, and its own tests pass with the real program, where
 * that is installed. `ATB_PUBLISHED_PROGRAMS` names the folder of a checkout that holds them; nothing of them is kept here.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testProgram } from "../../prompt-lab/check/program-tests.js";
import { readProgram } from "../../src/worker/adapter-format/program/read-program.js";
import { skipped } from "../support/skipped.js";

const FOLDER = process.env["ATB_PUBLISHED_PROGRAMS"];
const UNNAMED =
  FOLDER === undefined ? "ATB_PUBLISHED_PROGRAMS names no folder of published program files" : null;
const FILES = FOLDER === undefined ? [] : readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"));

const IS_WINDOWS = "it starts Java with a path of Windows, below %LOCALAPPDATA%";
/** What fails for a reason that lies in the file, and why. The empty name is the file's start. */
const FAILS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "abcl.yaml": { "": IS_WINDOWS },
  "groovy.yaml": { "": IS_WINDOWS },
  "jdb.yaml": { "jdb version banner includes JDK major version": "it wants Java 21" },
};

const read = (file: string) => {
  const path = join(FOLDER ?? "", file);
  return readProgram(readFileSync(path, "utf8"), path);
};

it.skipIf(skipped(UNNAMED))("all published files are read", () => {
  expect(FILES.length).toBeGreaterThan(0);
  for (const file of FILES) expect(read(file).program.tests.length, file).toBeGreaterThan(0);
});

it.for(FILES)("the tests of %s pass", async (file, { skip }) => {
  const report = await testProgram(read(file), true);
  if (report.skipped !== null) skip(report.skipped);
  const failures = [
    ...report.problems.map((problem) => ({ name: "", problem })),
    ...report.tests.map(({ name, problems }) => ({ name, problem: problems.join("\n") })),
  ].filter(({ problem }) => problem !== "");
  expect(failures.filter(({ name }) => FAILS[file]?.[name] === undefined)).toEqual([]);
});
