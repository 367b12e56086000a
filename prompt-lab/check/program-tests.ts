/** Runs the probe and the contract tests of program files (`adapter test`, `adapter probe`). */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolvePaths } from "../../src/config/paths.js";
import { AtlasBridgeError } from "../../src/model/errors.js";
import { systemClock } from "../../src/observe/clock.js";
import { systemRandom } from "../../src/observe/random.js";
import { readAdapterFile } from "../../src/plugins/adapters/adapters.js";
import { requireAgreement, type AskToRun } from "../../src/plugins/adapters/agreed-files.js";
import { findProgramFile, listPrograms, loadProgram } from "../../src/plugins/adapters/programs.js";
import type { ContractTest, SequenceStep } from "../../src/worker/adapter-format/program/program-file.js";
import type { ReadProgram } from "../../src/worker/adapter-format/program/read-program.js";
import { openProgram, type OpenedProgram } from "../../src/worker/runtimes/program/open-program.js";
import { fill, findProgram } from "../../src/worker/runtimes/program/launch.js";
import type { CommandResult } from "../../src/worker/runtimes/program/output/command-result.js";

/** Programs may take seconds to start on a busy machine. */
const READY_MS = 60_000;
const EVAL_MS = 30_000;
/** A server behind a silent firewall counts as missing. */
const NEEDS_MS = 20_000;
const OF_AGENT = "it is an agent's file, which has no contract tests: adapter check";
/** Screen rows that are shown if a program does not start. */
const SHOWN_LINES = 3;
const SIZE = { cols: 100, rows: 30 };

export interface ContractOutcome {
  readonly name: string;
  readonly problems: readonly string[];
}

export interface ProgramReport {
  readonly name: string;
  readonly file: string;
  /** The probe's output, often a version; null if it was not run. */
  readonly probe: string | null;
  readonly executable: string | null;
  readonly skipped: string | null;
  readonly tests: readonly ContractOutcome[];
  readonly problems: readonly string[];
}

/** `names`: programs or their files; none: all. Errors: ATB_ADAPTER_UNKNOWN. */
export async function testPrograms(
  names: readonly string[],
  withTests: boolean,
  ask: AskToRun,
): Promise<ProgramReport[]> {
  const paths = resolvePaths();
  const files =
    names.length > 0
      ? await Promise.all(
          names.map(async (name) =>
            name.endsWith(".yaml") ? name : (await findProgramFile(name, paths)).file,
          ),
        )
      : listPrograms(paths).map(({ file }) => file);
  const reports: ProgramReport[] = [];
  for (const file of files) reports.push(await testFile(file, withTests, ask));
  return reports;
}

async function testFile(file: string, withTests: boolean, ask: AskToRun): Promise<ProgramReport> {
  const nothing = { file, probe: null, executable: null, skipped: null, tests: [], problems: [] };
  try {
    if (isAgentFile(file)) return { ...nothing, name: file, skipped: OF_AGENT };
    const read = await loadProgram(file);
    if (typeof locate(read) === "string") await requireAgreement(read.own, resolvePaths(), ask);
    return await testProgram(read, withTests);
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    return { ...nothing, name: file, problems: error.message.split("\n") };
  }
}

/** Errors: ATB_ADAPTER_INVALID if it cannot be read. */
function isAgentFile(file: string): boolean {
  return /^family:\s*agent\s*$/mu.test(readAdapterFile(file));
}

export async function testProgram(read: ReadProgram, withTests: boolean): Promise<ProgramReport> {
  const { name } = read.program;
  const executable = locate(read);
  const nothing = { name, file: read.file, probe: null, executable: null, tests: [], problems: [] };
  if (typeof executable !== "string") return { ...nothing, skipped: executable.message };
  const report = { ...nothing, executable, skipped: null };
  const missing = await findMissing(read, executable);
  if (missing !== null) return { ...report, skipped: missing };
  const folder = mkdtempSync(join(tmpdir(), "atlasbridge-test-"));
  try {
    return { ...report, ...(await new ProgramTester(read, executable, folder).run(withTests)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The executable, or the error that names the searched places. */
function locate({ program }: ReadProgram): string | AtlasBridgeError {
  try {
    return findProgram(program, { typed: null, environment: process.env, cwd: process.cwd() });
  } catch (error) {
    if (error instanceof AtlasBridgeError && error.code === "ATB_TOOL_NOT_FOUND") return error;
    throw error;
  }
}

/** What the file says about a missing requirement, or null. */
function findMissing({ program }: ReadProgram, executable: string): Promise<string | null> {
  const { needs } = program.probe;
  if (needs === undefined) return Promise.resolve(null);
  const values = { shell_path: executable };
  const [file = "", ...args] = needs.command.map((word) => fill(word, values));
  return new Promise((resolve) =>
    execFile(file, args, { timeout: NEEDS_MS }, (error) => resolve(error === null ? null : needs.otherwise)),
  );
}

/** PowerShell's script prints this before a native program's exit code. */
const LAST_EXIT = "\x1b]633;L;";

class ProgramTester {
  readonly #read: ReadProgram;
  readonly #executable: string;
  readonly #folder: string;
  #opened: OpenedProgram | null = null;
  /** Reset before each evaluation. */
  #hasPrintedExit = false;
  /** Kept because the report may arrive in two chunks. */
  #printedEnd = "";

  constructor(read: ReadProgram, executable: string, folder: string) {
    this.#read = read;
    this.#executable = executable;
    this.#folder = folder;
  }

  async run(withTests: boolean): Promise<Pick<ProgramReport, "probe" | "tests" | "problems">> {
    const awake = setInterval(() => undefined, 1000);
    try {
      const { probe } = this.#read.program;
      const problem = await this.#open();
      if (problem !== null) return { probe: null, tests: [], problems: [problem] };
      const result = await this.#evaluate(probe.eval);
      const text = result.output.text.trim();
      const problems = findMismatch("the probe", probe.expect, text);
      const shown = readFirstGroup(probe.expect, text) ?? text;
      if (problems.length > 0 || !withTests) return { probe: shown, tests: [], problems };
      const tests: ContractOutcome[] = [];
      for (const test of this.#read.program.tests)
        tests.push({ name: test.name, problems: await this.#test(test) });
      return { probe: shown, tests, problems };
    } finally {
      clearInterval(awake);
      await this.#close();
    }
  }

  async #test(test: ContractTest): Promise<readonly string[]> {
    if (this.#opened?.terminal.alive !== true || this.#opened.session.phase !== "prompt") {
      await this.#close();
      const problem = await this.#open();
      if (problem !== null) return [problem];
    }
    const problems: string[] = [];
    for (const step of listSteps(test)) problems.push(...this.#check(step, await this.#evaluate(step.eval)));
    return problems;
  }

  async #open(): Promise<string | null> {
    try {
      this.#opened = openProgram({
        read: withExitCodes(this.#read),
        typed: this.#executable,
        args: [],
        environment: process.env,
        cwd: this.#folder,
        size: SIZE,
        clock: systemClock,
        createGuid: () => systemRandom.uuid(),
        folder: this.#folder,
      });
    } catch (error) {
      if (error instanceof AtlasBridgeError) return error.message;
      throw error;
    }
    const { session, terminal, screen } = this.#opened;
    terminal.onData((chunk) => this.#notePrinted(this.#printedEnd + Buffer.from(chunk).toString("latin1")));
    const problem = await session.awaitReady(READY_MS);
    if (problem === null) return null;
    const shown = screen
      .view()
      .lines.map(({ text }) => text.trim())
      .filter((line) => line !== "");
    return [problem, ...shown.slice(-SHOWN_LINES)].join(" | ");
  }

  #notePrinted(text: string): void {
    if (text.includes(LAST_EXIT)) this.#hasPrintedExit = true;
    this.#printedEnd = text.slice(1 - LAST_EXIT.length);
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    if (!opened) return;
    await opened.session.shutDown();
    opened.screen.dispose();
    opened.terminal.close();
  }

  async #evaluate(code: string): Promise<CommandResult> {
    const { session } = this.#opened ?? {};
    if (!session) throw new Error("the program was not started");
    this.#printedEnd = "";
    this.#hasPrintedExit = false;
    const result = await session.run(code, { timeoutMs: EVAL_MS });
    if (result.state !== "running") return result;
    await session.press("interrupt");
    return (await session.wait({ timeoutMs: EVAL_MS })) ?? result;
  }

  #check(step: SequenceStep, result: CommandResult): readonly string[] {
    const { state, note, output, exitCode } = result;
    const at = JSON.stringify(step.eval.length > 60 ? `${step.eval.slice(0, 60)}…` : step.eval);
    if (state === "refused") return [`${at} was not typed: ${note}`];
    if (result.isInterrupted) return [`${at} took longer than ${EVAL_MS / 1000} s`];
    const { exit_code: fidelity } = this.#read.program.capabilities;
    const isKnown = fidelity === true || step.exit_code_is_unreliable === true;
    const found = [...findMismatch(at, step.expect, output.text.trim())];
    const asksCode = step.expect_error !== undefined || step.expect_exit_code !== undefined;
    if (asksCode && !isKnown) found.push(`${at}: this program's exit codes are not known; use "expect"`);
    else {
      if (step.expect_error !== undefined && (exitCode !== 0) !== step.expect_error)
        found.push(
          `${at}: expected ${step.expect_error ? "an error" : "no error"}, the exit code is ${String(exitCode)}`,
        );
      if (step.expect_exit_code !== undefined && exitCode !== step.expect_exit_code)
        found.push(`${at}: expected exit code ${step.expect_exit_code}, found ${String(exitCode)}`);
    }
    if (step.expect_cwd_update !== undefined && result.cwdReported !== step.expect_cwd_update)
      found.push(`${at}: the working directory was ${result.cwdReported ? "" : "not "}reported`);
    if (step.expect_no_last_exit === true && this.#hasPrintedExit)
      found.push(`${at}: the exit code of a native program was reported`);
    if (step.expect_mode !== undefined && result.mode !== step.expect_mode)
      found.push(`${at}: expected mode ${step.expect_mode}, found ${String(result.mode)}`);
    if (step.expect_level !== undefined && result.level !== step.expect_level)
      found.push(`${at}: expected level ${step.expect_level}, found ${String(result.level)}`);
    return [
      ...found,
      ...findMismatch(`${at}: output outside of it`, step.expect_out_of_band, result.outOfBand),
    ];
  }
}

/** Tests may use unreliable exit codes, which a console does not report. */
function withExitCodes(read: ReadProgram): ReadProgram {
  const { program } = read;
  if (program.capabilities.exit_code !== "unreliable") return read;
  return { ...read, program: { ...program, capabilities: { ...program.capabilities, exit_code: true } } };
}

/** A test without `eval` checks its last step. */
function listSteps(test: ContractTest): readonly SequenceStep[] {
  const { setup, setup_sequence: sequence, eval: code, ...expected } = test;
  const steps = [...(setup === undefined ? [] : [{ eval: setup }]), ...sequence];
  if (code !== undefined) return [...steps, test as ContractTest & SequenceStep];
  return steps.map((step, at) => (at === steps.length - 1 ? { ...expected, ...step } : step));
}

/** Group 1 of the pattern, such as a version. */
function readFirstGroup(pattern: string | undefined, text: string): string | undefined {
  return pattern === undefined ? undefined : new RegExp(pattern, "msu").exec(text)?.[1];
}

function findMismatch(what: string, expected: string | undefined, text: string): readonly string[] {
  if (expected === undefined || new RegExp(expected, "msu").test(text)) return [];
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return [`${what}: expected ${expected}, found ${JSON.stringify(shown)}`];
}

export function hasFailed({ problems, tests }: ProgramReport): boolean {
  return problems.length > 0 || tests.some((test) => test.problems.length > 0);
}

export function formatReport(report: ProgramReport, withTests: boolean): readonly string[] {
  const { name, skipped, tests, problems, probe, executable } = report;
  if (skipped !== null) return [`- ${name}  skipped: ${skipped}`];
  const passed = tests.filter((test) => test.problems.length === 0).length;
  const counts = withTests
    ? `tests: ${passed} of ${tests.length}`
    : hasFailed(report)
      ? "does not work"
      : `works: ${executable ?? ""}`;
  return [
    `${hasFailed(report) ? "✗" : "✓"} ${name}  ${counts}${probe === null ? "" : `  (${probe.split("\n")[0] ?? ""})`}`,
    ...problems.map((problem) => `    - ${problem}`),
    ...tests.flatMap(formatFailure),
  ];
}

function formatFailure({ name, problems }: ContractOutcome): readonly string[] {
  return problems.map((problem) => `    - ${name}: ${problem}`);
}
