import type { Command } from "commander";
import type { PromptList } from "../../client/ask-hub.js";
import {
  describeNoOpenPrompts,
  describeUnseenSessions,
  listUnseenSessions,
} from "../../model/no-open-prompts.js";
import { formatPrompt } from "../format.js";
import { printResult } from "../output.js";

interface PromptsFlags {
  readonly all: boolean;
  readonly reveal?: string;
  readonly number?: string;
  readonly json: boolean;
}

export function registerPrompts(program: Command): void {
  program
    .command("prompts")
    .summary("list open prompts")
    .description("Lists the open prompts with their content and choices.")
    .option("--all", "include settled prompts", false)
    .option("--reveal <shortid>", "show one open prompt with nothing hidden, on this terminal only")
    .option("--number <shortid>", "show the number that a yes needs, on this terminal only")
    .option("--json", "print one JSON object", false)
    .action(async ({ all, reveal, number, json }: PromptsFlags) => {
      const { listPromptsAndEnded, revealNumber, revealPrompt } = await import("../../client/ask-hub.js");
      if (reveal !== undefined)
        return printResult(
          json,
          async () => ({ text: await revealPrompt(reveal) }),
          ({ text }) => text.split("\n"),
        );
      if (number !== undefined)
        return printResult(
          json,
          async () => ({ number: await revealNumber(number) }),
          (found) => [String(found.number)],
        );
      let list: PromptList = { prompts: [], unanswered: [], sessions: [], numbers: new Map() };
      await printResult(
        json,
        async () => {
          list = await listPromptsAndEnded(all);
          return list.prompts;
        },
        (prompts) =>
          prompts.length === 0
            ? [describeNoOpenPrompts(list.unanswered, list.sessions)]
            : [
                ...prompts.flatMap((prompt) =>
                  formatPrompt(prompt, Date.now(), list.numbers.get(prompt.promptId)),
                ),
                ...listUnknown(list.sessions),
              ],
        () => ({ unanswered: list.unanswered, unseen: listUnseen(list.sessions) }),
      );
    });
}

function listUnknown(sessions: PromptList["sessions"]): readonly string[] {
  const unseen = describeUnseenSessions(sessions);
  return unseen === null ? [] : [unseen];
}

/** In the JSON output: sessions in which no prompt would be noticed, and why. */
function listUnseen(sessions: PromptList["sessions"]): readonly object[] {
  return listUnseenSessions(sessions).map(({ session, why }) => ({
    sessionId: session.sessionId,
    tool: session.tool,
    label: session.label,
    reason: why,
  }));
}
