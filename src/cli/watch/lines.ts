/** `watch` without a terminal: prints open prompts as lines and reads answers as lines. */
import { createInterface } from "node:readline";
import { createConfiguredNotifier } from "../../app/hub/notify.js";
import { answerSeveral, describeAnsweredTogether } from "../../client/answer-several.js";
import { answerPrompt, askAgain } from "../../client/ask-hub.js";
import { watchPrompts, type PromptEnd, type WatchedHub, type WatchListener } from "../../client/watch-hub.js";
import { describeNoOpenPrompts, describeUnseenSessions } from "../../model/no-open-prompts.js";
import type { ListedPrompt } from "../../wire/listings.js";
import { requireDone } from "../commands/answer.js";
import { formatChoices, formatPrompt } from "../format.js";
import type { WatchAnswer } from "./answers.js";
import { printError, printLines } from "../output.js";

const HELP = "Answer with `k7 2`, or select a prompt by typing `k7`. `l` lists, `q` quits.";
/** Older ones are listed by `prompts --all`. */
const ENDED_MAX = 20;

export async function watchInLines(): Promise<void> {
  const stop = new AbortController();
  const quit = (): void => {
    process.stdin.destroy();
    stop.abort();
  };
  const view = new WatchLines(quit);
  printLines([HELP]);
  // Plain lines work over pipes and dumb terminals too. The end of a pipe does not quit; Ctrl-D does.
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on("line", (line) => void view.take(line).catch(printError));
  lines.on("close", () => {
    if (process.stdin.isTTY) stop.abort();
  });
  await watchPrompts(view, stop.signal);
}

class WatchLines implements WatchListener {
  readonly #quit: () => void;
  // In piped output a bell would be just another character.
  readonly #callPerson = createConfiguredNotifier(null);
  #hub: WatchedHub = { sessions: [], prompts: [], unanswered: [], paused: false };
  /** Settled prompts that may be asked again, oldest first. */
  #askableAgain: readonly ListedPrompt[] = [];
  /** The next line answers it. */
  #selected: ListedPrompt | null = null;
  /** Why the open prompts are unknown; null while a hub is connected. */
  #problem: string | null = "the hub has not responded yet";

  constructor(quit: () => void) {
    this.#quit = quit;
  }

  lost(why: string): void {
    if (this.#problem !== why) printLines([`Waiting: ${why}.`]);
    this.#problem = why;
  }

  refreshed(hub: WatchedHub): void {
    if (this.#problem !== null) printLines(["Connected."]);
    [this.#hub, this.#problem] = [hub, null];
  }

  raised(prompt: ListedPrompt): void {
    printLines(["", ...formatPrompt(prompt, Date.now())]);
    this.#callPerson(prompt);
  }

  settled(prompt: ListedPrompt, { text, again }: PromptEnd): void {
    const { promptId, shortId } = prompt;
    const others = this.#askableAgain.filter((known) => known.promptId !== promptId);
    this.#askableAgain = again ? [...others, prompt].slice(-ENDED_MAX) : others;
    if (this.#selected?.promptId === promptId) this.#selected = null;
    printLines([`${shortId}: ${text}`, ...(again ? [`\`again ${shortId}\` asks again.`] : [])]);
  }

  async take(line: string): Promise<void> {
    const step = readWatchLine(line, { open: this.#hub.prompts, ended: this.#askableAgain }, this.#selected);
    this.#selected = null;
    if (step.kind === "quit") this.#quit();
    else if (step.kind === "list") this.#list();
    else if (step.kind === "unclear") this.#printKnown([step.problem]);
    else if (step.kind === "again") this.settled(step.prompt, await askAgain(step.prompt.promptId));
    else if (step.kind === "answer") printLines(await answer(step));
    else if (step.kind === "select") {
      this.#selected = step.prompt;
      const ask = `Your answer to ${step.prompt.shortId} (an empty line to cancel):`;
      printLines([...formatChoices(step.prompt), ask]);
    }
  }

  #list(): void {
    const { prompts, unanswered, sessions } = this.#hub;
    const open = prompts.flatMap((prompt) => formatPrompt(prompt, Date.now()));
    const none = describeNoOpenPrompts(unanswered, sessions);
    this.#printKnown(
      open.length === 0 ? [none] : [...open, describeUnseenSessions(sessions) ?? ""].filter(Boolean),
    );
  }

  /** What follows from the open prompts is printed only while they are known. */
  #printKnown(lines: readonly string[]): void {
    printLines(this.#problem === null ? lines : [`Unknown: ${this.#problem}.`]);
  }
}

async function answer({ shortIds, given }: LineAnswer): Promise<readonly string[]> {
  const [shortId = "", ...others] = shortIds;
  if (others.length > 0) return describeAnsweredTogether(await answerSeveral(shortIds, given.value));
  const outcome = await answerPrompt({ shortId, ...given }, false);
  if (outcome.kind === "refused" && outcome.code === "hidden")
    return [`${shortId}: ${outcome.text} \`${shortId} accept hidden ${given.value}\` approves unseen.`];
  return [`${shortId}: ${requireDone(shortId, outcome).text}`];
}

interface LineAnswer {
  readonly kind: "answer";
  /** Several: the same request, asked several times. */
  readonly shortIds: readonly string[];
  readonly given: WatchAnswer;
}

type WatchStep =
  | { readonly kind: "nothing" | "quit" | "list" }
  | { readonly kind: "select" | "again"; readonly prompt: ListedPrompt }
  | { readonly kind: "unclear"; readonly problem: string }
  | LineAnswer;

/**
 * `k7 2` answers, `k7` alone selects, `again k7` asks a settled prompt again, and after a selection the line itself is the
 * answer. A bare answer without a selection is never accepted, because another prompt may have arrived while it was typed. Pure.
 */
export function readWatchLine(
  line: string,
  { open, ended = [] }: { readonly open: readonly ListedPrompt[]; readonly ended?: readonly ListedPrompt[] },
  selected: ListedPrompt | null,
): WatchStep {
  const typed = line.trim();
  if (selected) return typed === "" ? { kind: "list" } : readAnswer(selected, typed);
  if (typed === "") return { kind: "nothing" };
  if (typed === "q" || typed === "quit") return { kind: "quit" };
  if (typed === "l" || typed === "list") return { kind: "list" };
  const [, name = "", value = ""] = /^(\S+)\s*(.*)$/.exec(typed) ?? [];
  const find = (prompts: readonly ListedPrompt[], shortId: string): ListedPrompt | undefined =>
    prompts.find((prompt) => prompt.shortId === shortId.toLowerCase());
  const again = name.toLowerCase() === "again" && find(ended, value);
  if (again) return { kind: "again", prompt: again };
  if (/^\w{2,6}(?:,\w{2,6}){1,50} +\S+$/.test(typed))
    return { kind: "answer", shortIds: name.toLowerCase().split(","), given: { value } };
  const prompt = find(open, name);
  if (prompt) return value === "" ? { kind: "select", prompt } : readAnswer(prompt, value);
  const known = open.map(({ shortId }) => shortId);
  const problem =
    known.length === 0
      ? "No prompt is open."
      : `No open prompt is called ${JSON.stringify(name.slice(0, 20))}; open: ${known.join(", ")}. Type an id, or an id with its answer: ${known[0]} 1`;
  return { kind: "unclear", problem };
}

/** `accept hidden 1` approves although something is hidden. What follows the number of a choice is text for it. */
function readAnswer({ shortId, type, content }: ListedPrompt, line: string): LineAnswer {
  const typed = content.hidden ? line.replace(/^accept[ -]hidden +/i, "") : line;
  const accepted = typed !== line && { acceptHidden: true as const };
  const [, choice, text] = (type === "multiple_choice" && /^(\d{1,3}) +(.+)$/.exec(typed)) || [];
  const given = choice !== undefined && text !== undefined ? { value: choice, text } : { value: typed };
  return { kind: "answer", shortIds: [shortId], given: { ...given, ...accepted } };
}
