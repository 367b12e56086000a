/** A real program of a shipped file, in a terminal of its own, for tests. */
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../src/observe/clock.js";
import type { ProgramFile } from "../../../src/worker/adapter-format/program/program-file.js";
import { readProgram, type ReadProgram } from "../../../src/worker/adapter-format/program/read-program.js";
import { openProgram, type OpenedProgram } from "../../../src/worker/runtimes/program/open-program.js";
import type { CommandResult } from "../../../src/worker/runtimes/program/output/command-result.js";

/** On a busy machine a start takes seconds. */
const READY_MS = 60_000;
const RUN_MS = 60_000;

export interface TestProgram extends OpenedProgram {
  readonly folder: string;
  readonly nonce: string;
  readonly type: (text: string) => Promise<void>;
  readonly run: (command: string, timeoutMs?: number) => Promise<CommandResult>;
  readonly close: () => Promise<void>;
}

export interface OpeningOptions {
  readonly args?: readonly string[];
  /** Puts the person's own files into their home folder before it starts. */
  readonly prepare?: (folder: string) => void;
  /** A folder below its own that is made, and that it is started in. */
  readonly startIn?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export function openTestProgram(name: string, options?: OpeningOptions): Promise<TestProgram> {
  return openRead(readShipped(name), options);
}

/** A program of tests/fixtures/programs, with some fields changed. */
export function openFixture(
  name: string,
  change: (program: ProgramFile) => ProgramFile = (program) => program,
  options?: OpeningOptions,
): Promise<TestProgram> {
  const read = readFixture(name);
  return openRead({ ...read, program: change(read.program) }, options);
}

export function readShipped(name: string): ReadProgram {
  return readProgramFile("adapters/programs", name);
}

export function readFixture(name: string): ReadProgram {
  return readProgramFile("tests/fixtures/programs", name);
}

function readProgramFile(place: string, name: string): ReadProgram {
  const file = `${place}/${name}.yaml`;
  return readProgram(readFileSync(file, "utf8"), file);
}

async function openRead(
  read: ReadProgram,
  { args = [], prepare = () => undefined, startIn = "", environment = {} }: OpeningOptions = {},
): Promise<TestProgram> {
  const folder = mkdtempSync(join(tmpdir(), "atlasbridge-program-"));
  // Where fish finds none of its own completions it makes them from all manual pages, for some 15 s of processor time.
  mkdirSync(join(folder, ".local/share/fish/generated_completions"), { recursive: true });
  prepare(folder);
  const cwd = join(folder, startIn);
  mkdirSync(cwd, { recursive: true });
  const awake = setInterval(() => undefined, 1000);
  const listeners: ((bytes: Uint8Array) => void)[] = [];
  let typedAt = -Infinity;
  const guids: string[] = [];
  const opened = openProgram({
    person: { onTyped: (listener) => void listeners.push(listener), typedAt: () => typedAt },
    read,
    typed: null,
    args,
    environment: { ...process.env, HOME: folder, ...environment },
    cwd,
    size: { cols: 80, rows: 24 },
    clock: systemClock,
    createGuid: () => {
      const made = randomUUID();
      guids.push(made);
      return made;
    },
    folder,
  });
  const problem = await opened.session.awaitReady(READY_MS);
  if (problem !== null) throw new Error(`${read.program.name}: ${problem}`);
  return {
    ...opened,
    folder,
    nonce: (guids[1] ?? "").replaceAll("-", ""),
    type: async (text) => {
      const bytes = Buffer.from(text);
      typedAt = systemClock.monotonic();
      for (const listener of listeners) listener(bytes);
      await opened.terminal.write(bytes);
    },
    run: (command, timeoutMs = RUN_MS) => opened.session.run(command, { timeoutMs }),
    close: async () => {
      opened.terminal.kill("SIGKILL");
      await opened.terminal.exited;
      clearInterval(awake);
      opened.screen.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
