/** Selects the scenarios that a `lab` command works on. */
import { Option, type Command } from "commander";

export interface FilterFlags {
  readonly tool?: string;
  readonly filter?: string;
  readonly set?: "develop" | "measure";
}

export function addFilterOptions(command: Command): Command {
  return command
    .argument("[paths...]", "scenario files or folders (default: this checkout's and your own)")
    .option("--tool <name>", "only scenarios of this tool")
    .option("--filter <text>", "only scenarios with this text in their id or description")
    .addOption(
      new Option("--set <name>", "only the development set, or only the measurement set").choices([
        "develop",
        "measure",
      ]),
    );
}

export function buildFilter({ tool, filter, set }: FilterFlags) {
  return {
    ...(tool !== undefined && { tool }),
    ...(filter !== undefined && { text: filter }),
    ...(set !== undefined && { set }),
  };
}
