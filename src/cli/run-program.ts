/** `atlasbridge run` in few and small files, because it delays every start of a tool (ADR 10). */
import { runTool } from "../app/run/run-tool.js";
import { buildToolOptions } from "./run/run-flags.js";
import { readPlainRun } from "./run/plain-run.js";
import { runGuarded } from "./run-guarded.js";

export async function runCli(argv: readonly string[]): Promise<void> {
  const plain = readPlainRun(argv.slice(2));
  if (plain === null) return (await import("./run/run-command-line.js")).runCommand(argv);
  const { tool, args, flags } = plain;
  return runGuarded(async () => {
    process.exitCode = await runTool(buildToolOptions(tool, args, flags));
  });
}
