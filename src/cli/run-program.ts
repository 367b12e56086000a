/** `atlasbridge run` in few and small files, because it delays every start of a tool (ADR 10). */
import { runCommandLine } from "./command-line.js";
import { InvariantError } from "../model/errors.js";
import { registerRun } from "./commands/run.js";

export function runCli(argv: readonly string[]): Promise<void> {
  return runCommandLine(argv, [(program) => registerRun(program, refuseAgent)]);
}

/** `main` chooses the other program for every command line that names a runtime. */
function refuseAgent(): never {
  throw new InvariantError("the program for terminal tools was asked to start an ACP agent");
}
