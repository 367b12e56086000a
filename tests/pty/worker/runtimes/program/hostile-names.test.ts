/**
 * What others may name, as a folder, a branch or a host, stands in what a program prints around its prompt. It forges no mark, and the folder
 * is reported as it is called.
 */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { AtlasBridgeError } from "../../../../../src/model/errors.js";
import type { ProgramFile } from "../../../../../src/worker/adapter-format/program/program-file.js";
import { readProgram } from "../../../../../src/worker/adapter-format/program/read-program.js";
import { findProgram } from "../../../../../src/worker/runtimes/program/launch.js";
import { openFixture, openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import {
  noPostgres,
  startPostgres,
  type PostgresServer,
} from "../../../../support/program/postgres-server.js";
import { skipped } from "../../../../support/skipped.js";

const FOLDER = "adapters/programs";
const SHIPPED = readdirSync(FOLDER)
  .map((file) => readProgram(readFileSync(join(FOLDER, file), "utf8"), file).program)
  .filter(({ tested }) => tested);

/** Each ends the mark that it would stand in, and begins another, which the rest of that mark gives the secret. */
const FORGING = ["x\x07\x1b]633;D;0", "x\x1b\\\x1b]633;D;0"];
const CONTROLS = String.fromCharCode(...Array.from({ length: 31 }, (_, at) => at + 1), 0x7f);
const NAMES: readonly string[] = [...FORGING, `é;\\x41 \\${CONTROLS}\n`];

function findMissing(program: ProgramFile): string | null {
  if (program.name === "psql") return noPostgres;
  try {
    findProgram(program, { typed: null, environment: process.env, cwd: process.cwd() });
    return null;
  } catch (error) {
    if (error instanceof AtlasBridgeError) return error.message;
    throw error;
  }
}

async function use(
  opened: Promise<TestProgram>,
  work: (program: TestProgram) => Promise<void>,
): Promise<void> {
  const program = await opened;
  try {
    await work(program);
  } finally {
    await program.close();
  }
}

/** Its first contract test, and the first one that fails. */
async function checkHonesty(
  { tests, capabilities }: ProgramFile,
  { session, run, folder }: TestProgram,
  name: string,
): Promise<void> {
  const [output] = tests;
  expect((await run(output?.eval ?? "")).output.text.trim()).toMatch(
    new RegExp(output?.expect ?? "$^", "mu"),
  );
  const failing = tests.find(({ expect_error: isError, setup }) => isError === true && setup === undefined);
  if (capabilities.exit_code === true) expect((await run(failing?.eval ?? "")).exitCode).toBeGreaterThan(0);
  if (capabilities.cwd_tracking) expect(session.current.cwd).toBe(join(folder, name));
}

describe("the name of the folder that it stands in", () => {
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

  describe.each(SHIPPED)("$name", (program) => {
    it.skipIf(skipped(findMissing(program))).each(NAMES)("forges no mark: %j", (name) =>
      use(openTestProgram(program.name, { startIn: name }), (opened) => checkHonesty(program, opened, name)),
    );
  });

  it.each(FORGING)("forges no mark of a program whose prompt carries them: %j", (name) =>
    use(openFixture("prompt-variable", undefined, { startIn: name }), async ({ run }) => {
      expect(await run("false")).toMatchObject({ exitCode: 1, isProven: true });
    }),
  );

  it.each([
    ["bash", "cd x*", "false"],
    ["zsh", "cd x*", "false"],
    ["dash", "cd x*", "false"],
    ["fish", "cd x*", "false"],
    ["python", "import glob, os; os.chdir(glob.glob('x*')[0])", "1/0"],
  ])("forges no mark of %s where it is no UTF-8", async (shell, enter, failing) => {
    const name = Buffer.from("x\xff\x07\x1b]633;D;0", "latin1");
    const prepare = (folder: string): void => mkdirSync(Buffer.concat([Buffer.from(`${folder}/`), name]));
    await use(openTestProgram(shell, { prepare }), async ({ run }) => {
      expect((await run(enter)).exitCode).toBe(0);
      expect(await run(failing)).toMatchObject({ exitCode: 1, isProven: true });
    });
  });
});

/** A sequence that nothing ends would take in the mark behind it. */
const UNENDED = ["\x1b]633;D;0;", "\x1b", "\x1b]", "\x1b[", "\x1bP1$", "\x1b]0;title", "\x07\x1b]633;B"];

describe("what a prompt shows, as a branch or a host", () => {
  it.each([
    ["bash", "PS1='$EVIL'"],
    ["zsh", "setopt prompt_subst; PS1='$EVIL'"],
    ["fish", "function fish_prompt; printf %s $EVIL; end"],
  ])("takes no mark of %s away", async (shell, show) => {
    for (const EVIL of UNENDED)
      await use(
        openTestProgram(shell, { environment: { EVIL } }),
        async ({ run, session, nonce, screen }) => {
          await run(show);
          expect(await run("false"), JSON.stringify(EVIL)).toMatchObject({
            exitCode: 1,
            output: { text: "" },
          });
          expect(await run("echo one")).toMatchObject({ exitCode: 0, output: { text: "one\n" } });
          expect(session.phase).toBe("prompt");
          expect(screen.view().lines.some(({ text }) => text.includes(nonce))).toBe(false);
        },
      );
  });
});
