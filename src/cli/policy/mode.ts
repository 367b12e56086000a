import { Argument, type Command } from "commander";
import { MODES, type Mode } from "../../model/policy-mode.js";
import { printLines } from "../output.js";

export function registerMode(program: Command): void {
  program
    .command("mode")
    .summary("choose whether rules answer in a session")
    .description(
      "off: people answer everything. assist: the answer of a rule is suggested, and given after a countdown.\n" +
        "full: rules answer. Without this command, sessions follow the mode of policy.yaml.",
    )
    .argument("<session>", "its id, the beginning of it, or its label")
    .addArgument(new Argument("<mode>").choices([...MODES]))
    .action(async (session: string, mode: Mode) => {
      const { setSessionMode } = await import("../../client/set-mode.js");
      printLines([`${await setSessionMode(session, mode)}: ${mode}`]);
    });
}
