/**
 * Every shipped program file holds what it promises with the real program: its probe and at least five contract tests pass, two programs
 * at a time. A program that is not installed, or has no server to talk to, is skipped by name.
 */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { testPrograms } from "../../../../../src/lab/program-tests.js";
import { readProgram } from "../../../../../src/worker/adapter-format/program/read-program.js";
import {
  noPostgres,
  startPostgres,
  type PostgresServer,
} from "../../../../support/program/postgres-server.js";

const FOLDER = "adapters/programs";
const FILES = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => `${FOLDER}/${file}`);
/** What nobody can run here is marked in its file. */
const TESTED = FILES.filter((file) => readProgram(readFileSync(file, "utf8"), file).program.tested);

describe("the shipped program files", () => {
  let server: PostgresServer | null = null;
  beforeAll(async () => {
    if (noPostgres !== null) return;
    server = await startPostgres();
    for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
  });
  afterAll(async () => {
    await server?.stop();
    vi.unstubAllEnvs();
  });

  it("have at least five contract tests each, and nothing that is ignored", () => {
    for (const file of FILES) expect(readProgram(readFileSync(file, "utf8"), file).notes, file).toEqual([]);
  });

  it.concurrent.each(TESTED)("%s", async (file) => {
    const [report] = await testPrograms([file], true, () => Promise.resolve(null));
    if (report?.skipped != null) console.warn(`skipped: ${file}: ${report.skipped}`);
    else {
      expect(report?.problems).toEqual([]);
      expect(report?.tests.filter(({ problems }) => problems.length > 0)).toEqual([]);
      expect(report?.tests.length).toBeGreaterThanOrEqual(5);
    }
  });
});
