import { runTool } from "../../app/run/run-tool.js";
import { InvariantError } from "../../model/errors.js";
import { runCommandLine } from "../command-line.js";
import { registerRun } from "../commands/run.js";

export function runCommand(argv: readonly string[]): Promise<void> {
  return runCommandLine(argv, [(program) => registerRun(program, { runTool, runAgent: refuseAgent })]);
}

/** `main` loads the full program for every command line with `--runtime`. */
function refuseAgent(): never {
  throw new InvariantError("the program for terminal tools was asked to start an ACP agent");
}
