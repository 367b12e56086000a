import { InvalidArgumentError, Option, type Command } from "commander";
import { parseDuration, type Person } from "../../config/schema.js";
import { EXIT } from "../../model/errors.js";
import { printResult } from "../output.js";
import { wrapLine } from "../wrap.js";
import { ROLE_HELP, ROLES } from "./roles.js";
import { formatSetup } from "./setup-words.js";

interface SetupFlags {
  readonly tokenFile: readonly string[];
  readonly accept?: string;
  readonly role?: Person["role"];
  readonly deliverAfter?: string;
  readonly pair: boolean;
  readonly test: boolean;
  readonly json: boolean;
}

export function registerSetup(program: Command): void {
  program
    .command("setup")
    .alias("init")
    .summary("set up your phone, step by step, and answer a first prompt")
    .description(
      "Makes or takes a bot, pairs your phone, and asks a test question there. Can be repeated: it goes on where something is missing.\n" +
        "In scripts the options answer its questions, and lines of the standard input answer the others. Only the code must be sent from a phone.\n" +
        "Exit code: 0 set up, and the test question was answered with Yes over the channel (or left out); 1 it was answered otherwise: with No, " +
        "by nobody, at the keyboard, or over another way; 4 the service did not accept the token, could not be reached, or nobody sent the code.",
    )
    .argument("[channel]", "telegram or slack", "telegram")
    .option(
      "--token-file <file...>",
      "read the token from this file (slack: the app-level token's, then the bot token's)",
      [],
    )
    .option("--accept <identity>", "pair only this account, such as telegram:1001, without asking who it was")
    .addOption(new Option("--role <role>", ROLE_HELP).choices(ROLES))
    .option(
      "--deliver-after <time>",
      "hold prompts back until nobody has typed at their terminal for so long (0s: never)",
      parseTime,
    )
    .option("--pair", "pair one more person or group", false)
    .option("--no-test", "ask no test question")
    .option("--json", "print one JSON object; everything else goes to standard error", false)
    .action(async (channel: string, flags: SetupFlags) => {
      const { isWayProved, setUp } = await import("../../client/setup/setup.js");
      const { createSetupDialog } = await import("./setup-dialog.js");
      const { checkAccepted } = await import("./pairing-dialog.js");
      const { stopAsking } = await import("./ask.js");
      const dialog = createSetupDialog({
        channel,
        tokenFiles: flags.tokenFile,
        accept: flags.accept ?? null,
        role: flags.role ?? null,
        json: flags.json,
      });
      const options = {
        channel,
        pairMore: flags.pair,
        test: flags.test,
        deliverAfter: flags.deliverAfter ?? null,
      };
      try {
        await printResult(
          flags.json,
          async () => {
            checkAccepted(channel, flags.accept ?? null);
            const result = await setUp(options, dialog);
            if (result.test !== null && !isWayProved(result.test, channel)) process.exitCode = EXIT.error;
            return result;
          },
          (result) => formatSetup(result).flatMap(wrapForTerminal),
        );
      } finally {
        stopAsking();
      }
    });
}

function wrapForTerminal(line: string): string[] {
  return process.stdout.isTTY ? wrapLine(line, process.stdout.columns) : [line];
}

/** Returns the text itself, which is written into the configuration. */
function parseTime(text: string): string {
  if (parseDuration(text) !== null) return text;
  throw new InvalidArgumentError("Expected a time such as 30s, 2m, or 0s for never.");
}
