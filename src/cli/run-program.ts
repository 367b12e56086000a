/** `atlasbridge run` by itself, in few and small files: it stands in front of every start of a tool (ADR 10). */
import { runCommandLine } from "./command-line.js";
import { InvariantError } from "../model/errors.js";
import { registerRun } from "./commands/run.js";

export function runCli(argv: readonly string[]): Promise<void> {
  return runCommandLine(argv, [(program) => registerRun(program, inOtherProgram)]);
}

/** `main` takes the other program for every command line that names a runtime. */
function inOtherProgram(): never {
  throw new InvariantError("a session with an agent was started from the program of tools in a terminal");
}
