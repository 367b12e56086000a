/** `atlasbridge prompts`: what is asked now. */
import type { Command } from "commander";
import { noneOpenLine, promptLines } from "../format.js";
import type { EndedPrompt } from "../../wire/listings.js";
import { report } from "../output.js";

export function registerPrompts(program: Command): void {
  program
    .command("prompts")
    .summary("list open questions")
    .description("Lists the questions that are open now, with their content and choices.")
    .option("--all", "also those that are settled", false)
    .option("--reveal <shortid>", "show one open question with nothing hidden, here alone")
    .option("--json", "print one JSON object", false)
    .action(async ({ all, reveal, json }: { all: boolean; reveal?: string; json: boolean }) => {
      const { listPromptsAndEnded, revealPrompt } = await import("../../app/hub/client/ask-hub.js");
      if (reveal !== undefined)
        return report(
          json,
          async () => ({ text: await revealPrompt(reveal) }),
          ({ text }) => text.split("\n"),
        );
      let mayStand: readonly EndedPrompt[] = [];
      await report(
        json,
        async () => {
          const list = await listPromptsAndEnded(all);
          mayStand = list.mayStand;
          return list.prompts;
        },
        (prompts) =>
          prompts.length === 0
            ? [noneOpenLine(mayStand)]
            : prompts.flatMap((prompt) => promptLines(prompt, Date.now())),
      );
    });
}
