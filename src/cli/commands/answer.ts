/** `atlasbridge answer`: answers one prompt and reports the outcome as exit code. */
import type { Command } from "commander";
import type { AnswerOutcome } from "../../client/ask-hub.js";
import { EXIT } from "../../model/errors.js";
import { describeUntakenAnswer } from "../format.js";
import { printMessage, CommandFailed, printResult } from "../output.js";

/** The adapter spec's word. To give exactly this text as the answer, use a chat or `watch`. */
const SAFE_DEFAULT = "default";

interface AnswerFlags {
  readonly text?: string;
  readonly acceptHidden: boolean;
  readonly wait: boolean;
  readonly json: boolean;
}

export function registerAnswer(program: Command): void {
  program
    .command("answer")
    .summary("answer an open prompt")
    .description(
      "Answers the prompt SHORTID with VALUE: y or n, the number of a choice (1,3 for a check list), or a text.\n" +
        "The VALUE default is the answer that says no, never the one the tool highlights; it is refused if there is none.\n" +
        "Exit code: 0 accepted, 1 rejected. With --wait: 0 confirmed (its effect was seen) or taken (the tool has read it), 1 not applied, 4 uncertain.",
    )
    .argument("<shortid>", "the prompt's short id, such as k7 (see `prompts`)")
    .argument("<value>", "the answer")
    .option("--text <text>", "text for the choice, such as the reason of a denial")
    .option("--accept-hidden", "approve although some characters are hidden", false)
    .option("--wait", "wait for the outcome of the answer", false)
    .option("--json", "print one JSON object", false)
    .action(async (shortId: string, value: string, { text, acceptHidden, wait, json }: AnswerFlags) => {
      const { answerPrompt } = await import("../../client/ask-hub.js");
      // Short ids are lower case, but phone keyboards capitalize the first letter.
      const answer = {
        shortId: shortId.toLowerCase(),
        value: value === SAFE_DEFAULT ? null : value,
        ...(text === undefined ? {} : { text }),
        ...(acceptHidden && { acceptHidden }),
      };
      await printResult(
        json,
        async () =>
          requireDone(
            shortId,
            await answerPrompt(answer, wait, (session) =>
              printMessage(describeUntakenAnswer(answer.shortId, session)),
            ),
          ),
        (done) => [done.text],
      );
    });
}

export interface AnswerDone {
  readonly shortId: string;
  readonly promptId: string;
  /** `answering`: accepted, and the outcome was not waited for. */
  readonly state: "answering" | "answered";
  readonly text: string;
}

function describeRefusal(
  shortId: string,
  { code, text }: Extract<AnswerOutcome, { kind: "refused" }>,
): string {
  if (code !== "hidden") return text;
  return `${text} \`prompts --reveal ${shortId}\` shows them; \`answer ${shortId} … --accept-hidden\` approves unseen.`;
}

/** Returns the outcome if the answer succeeded; otherwise throws CommandFailed with the exit code. */
export function requireDone(shortId: string, outcome: AnswerOutcome): AnswerDone {
  if (outcome.kind === "refused") throw new CommandFailed(outcome.code, describeRefusal(shortId, outcome));
  const { promptId } = outcome;
  if (outcome.kind === "claimed")
    return { shortId, promptId, state: "answering", text: "Accepted; on its way to the tool." };
  const { state, text } = outcome;
  if (state === "answered") return { shortId, promptId, state, text };
  throw new CommandFailed(state, text, state === "uncertain" ? EXIT.uncertain : EXIT.error);
}
