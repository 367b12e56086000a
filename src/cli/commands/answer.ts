/** `atlasbridge answer`: one answer to one question, with an exit code that says what became of it. */
import type { Command } from "commander";
import type { AnswerOutcome } from "../../client/ask-hub.js";
import { EXIT } from "../../model/errors.js";
import { untakenLine } from "../format.js";
import { complain, NotDone, report } from "../output.js";

/** The adapter spec's word. Whoever wants to give exactly this text does so from a chat or in `watch`. */
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
    .summary("answer an open question")
    .description(
      "Answers the question SHORTID with VALUE: y or n, the number of a choice (1,3 for a check list), or a text.\n" +
        "VALUE default is the safe one: the answer that says no, never what the tool highlights; refused where there is none.\n" +
        "Exit code: 0 taken, 1 refused. With --wait: 0 confirmed (its effect was seen; without a dialog, the tool has read it), 1 not applied, 4 uncertain.",
    )
    .argument("<shortid>", "as `prompts` shows it: k7")
    .argument("<value>", "the answer")
    .option("--text <text>", "the text that goes with a choice, e.g. the reason of a denial")
    .option("--accept-hidden", "approve although some characters are hidden", false)
    .option("--wait", "wait until the effect of the answer is known", false)
    .option("--json", "print one JSON object", false)
    .action(async (shortId: string, value: string, { text, acceptHidden, wait, json }: AnswerFlags) => {
      const { answerPrompt } = await import("../../client/ask-hub.js");
      // Short ids are lower case; a phone's keyboard likes to begin with a capital.
      const answer = {
        shortId: shortId.toLowerCase(),
        value: value === SAFE_DEFAULT ? null : value,
        ...(text === undefined ? {} : { text }),
        ...(acceptHidden && { acceptHidden }),
      };
      await report(
        json,
        async () =>
          doneOrThrow(
            shortId,
            await answerPrompt(answer, wait, (session) => complain(untakenLine(answer.shortId, session))),
          ),
        (done) => [done.text],
      );
    });
}

export interface AnswerDone {
  readonly shortId: string;
  readonly promptId: string;
  /** `answering`: taken, and it was not waited for the rest. */
  readonly state: "answering" | "answered";
  readonly text: string;
}

function refusalText(shortId: string, { code, text }: Extract<AnswerOutcome, { kind: "refused" }>): string {
  if (code !== "hidden") return text;
  return `${text} \`prompts --reveal ${shortId}\` shows them; \`answer ${shortId} … --accept-hidden\` approves unseen.`;
}

/** The outcome, if it is what was wanted. Throws NotDone with the exit code for it otherwise. */
export function doneOrThrow(shortId: string, outcome: AnswerOutcome): AnswerDone {
  if (outcome.kind === "refused") throw new NotDone(outcome.code, refusalText(shortId, outcome));
  const { promptId } = outcome;
  if (outcome.kind === "claimed")
    return { shortId, promptId, state: "answering", text: "Taken; on its way to the tool." };
  const { state, text } = outcome;
  if (state === "answered") return { shortId, promptId, state, text };
  throw new NotDone(state, text, state === "uncertain" ? EXIT.uncertain : EXIT.error);
}
