/** `atlasbridge prompts`: what is asked now. */
import type { Command } from "commander";
import { promptLines } from "./format.js";
import { report } from "./output.js";

export function registerPrompts(program: Command): void {
  program
    .command("prompts")
    .summary("list open questions")
    .description("Lists the questions that are open now, with their whole content and choices.")
    .option("--all", "also those that are settled", false)
    .option("--json", "print one JSON object", false)
    .action(async ({ all, json }: { all: boolean; json: boolean }) => {
      const { listPrompts } = await import("../app/hub/ask-hub.js");
      await report(
        json,
        () => listPrompts(all),
        (prompts) =>
          prompts.length === 0
            ? ["Nothing is asked."]
            : prompts.flatMap((prompt) => promptLines(prompt, Date.now())),
      );
    });
}
