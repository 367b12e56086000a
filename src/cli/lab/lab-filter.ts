/** Which scenarios a `lab` command is about. */
import { Option, type Command } from "commander";

export interface FilterFlags {
  readonly tool?: string;
  readonly filter?: string;
  readonly set?: "develop" | "measure";
}

export function withFilter(command: Command): Command {
  return command
    .argument("[paths...]", "scenario files or folders (default: those of this checkout and your own)")
    .option("--tool <name>", "only scenarios of this tool")
    .option("--filter <text>", "only scenarios with this text in their id or description")
    .addOption(
      new Option("--set <name>", "only the situations to develop on, or only those to measure with").choices([
        "develop",
        "measure",
      ]),
    );
}

export function filterOf({ tool, filter, set }: FilterFlags) {
  return {
    ...(tool !== undefined && { tool }),
    ...(filter !== undefined && { text: filter }),
    ...(set !== undefined && { set }),
  };
}
