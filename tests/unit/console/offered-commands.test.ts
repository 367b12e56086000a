/** A program's file alone decides which commands its results offer as buttons, and in which modes. */
import { describe, expect, it } from "vitest";
import { listOfferedCommands } from "../../../src/console/offered-commands.js";
import type { ProgramFile } from "../../../src/worker/adapter-format/program/program-file.js";
import { OFFER_COMMAND_MAX } from "../../../src/wire/calls/console-calls.js";
import { readShipped } from "../../support/program/open.js";

function offer(name: string, mode: string | null): string[] {
  return offerOf(readShipped(name).program, mode);
}

function offerOf(program: ProgramFile, mode: string | null): string[] {
  return listOfferedCommands(program, mode).map(({ label, command }) => `${label}: ${command}`);
}

const PDB = [
  "Step: step",
  "Next: next",
  "Out: return",
  "Continue: continue",
  "Locals: pp locals()",
  "Backtrace: where",
];

describe("the commands that a debugger offers", () => {
  it("are those of a debugger without modes, anywhere", () => {
    expect(offer("gdb", null)).toEqual([
      "Step: step",
      "Next: next",
      "Out: finish",
      "Continue: continue",
      "Locals: info locals",
      "Backtrace: backtrace",
      "Run: run",
    ]);
  });

  it("are those of the modes in its scope alone", () => {
    expect(offer("python", "pdb")).toEqual(PDB);
    for (const mode of ["main", "interact", null]) expect(offer("python", mode)).toEqual([]);
    for (const mode of ["main", "debug", "post-mortem"])
      expect(offer("pdb", mode)).toEqual([...PDB, "Run: run"]);
    expect(offer("pdb", "interact")).toEqual([]);
  });

  it("are those of a debugger's modes that advance, where it names no scope", () => {
    expect(offer("jdb", "stopped")).toContain("Out: step up");
    expect(offer("jdb", "running")).toEqual([]);
  });

  it("are none of a shell, nor of a file that says that they do not work", () => {
    expect(offer("bash", null)).toEqual([]);
    const { program } = readShipped("gdb");
    const capabilities = { ...program.capabilities, meta_commands: false };
    expect(offerOf({ ...program, capabilities }, null)).toEqual([]);
    expect(offerOf({ ...program, family: "repl" }, null)).toEqual([]);
  });

  it("are whole, and no script", () => {
    const { program } = readShipped("gdb");
    const declared = {
      step_in: "step {count}",
      step_over: "n".repeat(OFFER_COMMAND_MAX + 1),
      step_out: null,
      run: "run",
    };
    expect(offerOf({ ...program, commands: { ...program.commands!, debugger: declared } }, null)).toEqual([
      "Run: run",
    ]);
  });
});
