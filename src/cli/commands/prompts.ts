/** `atlasbridge prompts`: the open prompts. */
import type { Command } from "commander";
import type { PromptList } from "../../client/ask-hub.js";
import { describeNoOpenPrompts, listUnseenSessions } from "../../model/no-open-prompts.js";
import { formatPrompt } from "../format.js";
import { printResult } from "../output.js";

export function registerPrompts(program: Command): void {
  program
    .command("prompts")
    .summary("list open prompts")
    .description("Lists the open prompts with their content and choices.")
    .option("--all", "include settled prompts", false)
    .option("--reveal <shortid>", "show one open prompt with nothing hidden, on this terminal only")
    .option("--json", "print one JSON object", false)
    .action(async ({ all, reveal, json }: { all: boolean; reveal?: string; json: boolean }) => {
      const { listPromptsAndEnded, revealPrompt } = await import("../../client/ask-hub.js");
      if (reveal !== undefined)
        return printResult(
          json,
          async () => ({ text: await revealPrompt(reveal) }),
          ({ text }) => text.split("\n"),
        );
      let list: PromptList = { prompts: [], unanswered: [], sessions: [] };
      await printResult(
        json,
        async () => {
          list = await listPromptsAndEnded(all);
          return list.prompts;
        },
        (prompts) =>
          prompts.length === 0
            ? [describeNoOpenPrompts(list.unanswered, list.sessions)]
            : prompts.flatMap((prompt) => formatPrompt(prompt, Date.now())),
        () => ({ unanswered: list.unanswered, unseen: listUnseen(list.sessions) }),
      );
    });
}

/** For programs: sessions whose prompts would not be noticed, and why. */
function listUnseen(sessions: PromptList["sessions"]): readonly object[] {
  return listUnseenSessions(sessions).map(({ session, why }) => ({
    sessionId: session.sessionId,
    tool: session.tool,
    label: session.label,
    reason: why,
  }));
}
