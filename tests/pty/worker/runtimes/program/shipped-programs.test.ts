/**
 * Every shipped program file holds what it promises with the real program: its probe and at least five contract tests pass, two programs
 * at a time. Those of `gate-programs.test.ts` are not here.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readProgram } from "../../../../../src/worker/adapter-format/program/read-program.js";
import {
  describeContracts,
  OTHER_PROGRAMS,
  SHIPPED_FILES,
} from "../../../../support/program/contract-tests.js";
import {
  noPostgres,
  startPostgres,
  type PostgresServer,
} from "../../../../support/program/postgres-server.js";

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
    for (const file of SHIPPED_FILES)
      expect(readProgram(readFileSync(file, "utf8"), file).notes, file).toEqual([]);
  });

  describeContracts(OTHER_PROGRAMS);
});
