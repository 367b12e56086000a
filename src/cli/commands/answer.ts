/** `atlasbridge answer`: the exit code says how the answer ended. */
import type { Command } from "commander";
import type { AnswerOutcome } from "../../client/ask-hub.js";
import { AtlasBridgeError, EXIT } from "../../model/errors.js";
import { parseGrantTerms, type GrantTerms } from "../../model/grant-terms.js";
import { describeAnswerNotPickedUp, describeNotPickedUp } from "../format.js";
import { printMessage, CommandFailed, printResult } from "../output.js";

/** The adapter spec's word. To give exactly this text as the answer, use a chat or `watch`. */
const SAFE_DEFAULT = "default";

interface AnswerFlags {
  readonly text?: string;
  readonly acceptHidden: boolean;
  readonly for?: string;
  readonly number?: string;
  readonly wait: boolean;
  readonly json: boolean;
}

export function registerAnswer(program: Command): void {
  program
    .command("answer")
    .summary("answer an open prompt")
    .description(
      "Answers the prompt SHORTID with VALUE: y or n, the number of a choice (1,3 for a check list), or a text.\n" +
        "A line that no rule reads takes any text, a screen the name of a key: enter, esc, up, down, left, right, tab, shift+tab, space, a digit, and where they are offered ctrl-c, ctrl-d; text:… types a text there.\n" +
        "The VALUE default is the answer that says no, never the one the tool highlights; it is refused if there is none.\n" +
        "Exit code: 0 accepted, 1 rejected. With --wait: 0 confirmed (its effect was seen) or taken (the tool has read it), 1 not applied, 4 uncertain.",
    )
    .argument(
      "<shortid>",
      "the prompt's short id, such as k7 (see `prompts`); k7,k8: the same request, asked twice",
    )
    .argument("<value>", "the answer")
    .option("--text <text>", "text for the choice, such as the reason of a denial")
    .option("--accept-hidden", "approve although some characters are hidden", false)
    .option(
      "--for <terms>",
      "also allow exactly this in advance: 10m, 1h, session, 5x, or several such as '5x 1h anywhere' (see `grants`)",
    )
    .option("--number <nn>", "the number that a rule wants with a yes (see `prompts --number`)")
    .option("--wait", "wait for the outcome of the answer", false)
    .option("--json", "print one JSON object", false)
    .action(
      async (
        shortId: string,
        value: string,
        { text, acceptHidden, for: terms, number, wait, json }: AnswerFlags,
      ) => {
        const ids = shortId.toLowerCase().split(",");
        if (ids.length > 1) {
          requirePlain([text, terms, number].some((each) => each !== undefined) || acceptHidden || wait);
          await answerTogether(ids, value === SAFE_DEFAULT ? null : value, json);
          return;
        }
        const { answerPrompt } = await import("../../client/ask-hub.js");
        // Short ids are lower case, but phone keyboards capitalize the first letter.
        const answer = {
          shortId: shortId.toLowerCase(),
          value: value === SAFE_DEFAULT ? null : value,
          ...(text === undefined ? {} : { text }),
          ...(acceptHidden && { acceptHidden }),
          ...(number !== undefined && { number: readNumber(number) }),
          ...(terms !== undefined && { grant: readTerms(terms) }),
        };
        await printResult(
          json,
          async () =>
            requireDone(
              shortId,
              await answerPrompt(answer, wait, (session) =>
                printMessage(describeAnswerNotPickedUp(answer.shortId, session)),
              ),
            ),
          (done) => [done.text],
        );
      },
    );
}

/** Several prompts at once can be answered with a plain yes or no only. */
function requirePlain(hasOptions: boolean): void {
  if (hasOptions)
    throw new AtlasBridgeError("ATB_USAGE", "several prompts take only a yes or a no, without options", {
      hint: "Answer one prompt at a time to use --text, --accept-hidden, --for, --number or --wait.",
    });
}

async function answerTogether(ids: readonly string[], value: string | null, json: boolean): Promise<void> {
  const { answerSeveral, describeAnsweredTogether } = await import("../../client/answer-several.js");
  const results = await answerSeveral(ids, value);
  await printResult(json, () => Promise.resolve(results), describeAnsweredTogether);
  if (results.some(({ problem }) => problem !== null)) process.exitCode = EXIT.error;
}

function readNumber(text: string): number {
  if (/^[1-9][0-9]$/.test(text)) return Number(text);
  throw new AtlasBridgeError("ATB_USAGE", `--number ${text}: expected two digits`, {
    hint: "`atlasbridge prompts --number SHORTID` shows them.",
  });
}

function readTerms(text: string): GrantTerms {
  const terms = parseGrantTerms(text);
  if (terms !== null) return terms;
  throw new AtlasBridgeError("ATB_USAGE", `--for ${text}: expected a time or a number of uses`, {
    hint: "Write 10m, 1h, session, 5x, or several of them; `anywhere` needs a time. At most 24h and 100x.",
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
  if (code === "unknown_prompt") return `${text} \`atlasbridge prompts\` lists those that are open.`;
  if (code === "secret")
    return `${text} What you wrote behind \`answer\` may stand in your shell's history: delete it there.`;
  if (code !== "hidden") return text;
  return `${text} \`prompts --reveal ${shortId}\` shows them; \`answer ${shortId} … --accept-hidden\` approves unseen.`;
}

export function requireDone(shortId: string, outcome: AnswerOutcome): AnswerDone {
  if (outcome.kind === "refused") throw new CommandFailed(outcome.code, describeRefusal(shortId, outcome));
  const { promptId, grant } = outcome;
  const allowed =
    grant === undefined ? "" : ` Grant ${grant}: exactly this is allowed in advance (see \`grants\`).`;
  if (outcome.kind === "claimed") {
    const { held } = outcome;
    const now = held === null ? "What became of it is not known yet." : describeNotPickedUp(shortId, held);
    return { shortId, promptId, state: "answering", text: `Accepted. ${now}${allowed}` };
  }
  const { state, text } = outcome;
  if (state === "answered") return { shortId, promptId, state, text: `${text}${allowed}` };
  throw new CommandFailed(state, text, state === "uncertain" ? EXIT.uncertain : EXIT.error);
}
