import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { testPrograms } from "../../../prompt-lab/check/program-tests.js";
import { readProgram } from "../../../src/worker/adapter-format/program/read-program.js";

const FOLDER = "adapters/programs";
const ENDING = ".yaml";

/** Those that the gate tests wherever they are installed; the others take longer. */
export const GATE_PROGRAMS = ["bash", "dash", "node", "perl", "python", "sqlite3"] as const;

export const SHIPPED_FILES = readdirSync(FOLDER)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => `${FOLDER}/${file}`);

/** All that somebody can run here, apart from those of the gate. What nobody can is marked in its file. */
export const OTHER_PROGRAMS = SHIPPED_FILES.filter(
  (file) => readProgram(readFileSync(file, "utf8"), file).program.tested,
)
  .map((file) => file.slice(FOLDER.length + 1, -ENDING.length))
  .filter((name) => !GATE_PROGRAMS.some((each) => each === name));

/** A program that is not installed, or has no server to talk to, is skipped by name. */
export function describeContracts(programs: readonly string[]): void {
  it.concurrent.each(programs)("%s", async (name) => {
    const [report] = await testPrograms([`${FOLDER}/${name}${ENDING}`], true, () => Promise.resolve(null));
    if (report?.skipped != null) {
      console.warn(`skipped: ${name}: ${report.skipped}`);
      return;
    }
    expect(report?.problems).toEqual([]);
    expect(report?.tests.filter(({ problems }) => problems.length > 0)).toEqual([]);
    expect(report?.tests.length).toBeGreaterThanOrEqual(5);
  });
}
