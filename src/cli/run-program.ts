/** `atlasbridge run` by itself, in few and small files: it stands in front of every start of a tool (ADR 10). */
import { runCommandLine } from "./command-line.js";
import { registerRun } from "./run.js";

export function runCli(argv: readonly string[]): Promise<void> {
  return runCommandLine(argv, [registerRun]);
}
