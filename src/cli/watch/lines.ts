/** `watch` without a terminal: reads and prints lines. */
import { createInterface } from "node:readline";
import { createConfiguredNotifier } from "../../app/hub/notify.js";
import { answerSeveral, describeAnsweredTogether } from "../../client/answer-several.js";
import { answerPrompt, askAgain } from "../../client/ask-hub.js";
import { watchPrompts, type PromptEnd, type WatchedHub, type WatchListener } from "../../client/watch-hub.js";
import { describeNoOpenPrompts, describeUnseenSessions } from "../../model/no-open-prompts.js";
import type { ListedPrompt } from "../../wire/listings.js";
import { requireDone } from "../commands/answer.js";
import { formatChoices, formatPrompt } from "../format.js";
import { printError, printLines } from "../output.js";
import type { WatchAnswer } from "./answers.js";
import type { WatchActions } from "./view.js";

const HELP = "Answer with `k7 2`, or select a prompt by typing `k7`. `l` lists, `q` quits.";
/** Older ones are listed by `prompts --all`. */
const ENDED_MAX = 20;
/** `k7,k8 1`: the same request, asked several times. */
const SEVERAL = /^[a-z0-9]{2,6}(?:,[a-z0-9]{2,6}){1,50} +\S+$/i;

export async function watchInLines(): Promise<void> {
  const stop = new AbortController();
  const quit = (): void => {
    process.stdin.destroy();
    stop.abort();
  };
  // In piped output a bell would be a stray character.
  const callPerson = createConfiguredNotifier(null);
  const view = new WatchLines({ print: printLines, quit, callPerson, answer, askAgain, now: Date.now });
  printLines([HELP]);
  // Works over pipes, too: the end of a pipe does not quit, Ctrl-D does.
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on("line", (line) => void view.take(line).catch(printError));
  lines.on("close", () => {
    if (process.stdin.isTTY) stop.abort();
  });
  await watchPrompts(view, stop.signal);
}

async function answer(shortId: string, { alike, ...given }: WatchAnswer): Promise<string> {
  if (alike) return describeAnsweredTogether(await answerSeveral(alike, given.value)).join("\n");
  const outcome = await answerPrompt({ shortId, ...given }, false);
  if (outcome.kind === "refused" && outcome.code === "hidden")
    return `${shortId}: ${outcome.text} \`${shortId} accept hidden ${given.value}\` approves unseen.`;
  return `${shortId}: ${requireDone(shortId, outcome).text}`;
}

type LineActions = Omit<WatchActions, "redraw" | "suspend" | "countRows"> & {
  readonly print: (lines: readonly string[]) => void;
};

export class WatchLines implements WatchListener {
  readonly #actions: LineActions;
  #hub: WatchedHub = { sessions: [], prompts: [], unanswered: [], paused: false };
  /** Settled prompts that can be asked again, oldest first. */
  #askableAgain: readonly ListedPrompt[] = [];
  #selected: ListedPrompt | null = null;
  /** Null while a hub is connected. */
  #problem: string | null = "the hub has not responded yet";

  constructor(actions: LineActions) {
    this.#actions = actions;
  }

  lost(why: string): void {
    if (this.#problem !== why) this.#actions.print([`Waiting: ${why}.`]);
    this.#problem = why;
  }

  refreshed(hub: WatchedHub): void {
    if (this.#problem !== null) this.#actions.print(["Connected."]);
    [this.#hub, this.#problem] = [hub, null];
  }

  raised(prompt: WatchedHub["prompts"][number]): void {
    this.#actions.print(["", ...formatPrompt(prompt, this.#actions.now())]);
    this.#actions.callPerson(prompt);
  }

  settled(prompt: ListedPrompt, { text, again }: PromptEnd): void {
    const { promptId, shortId } = prompt;
    const others = this.#askableAgain.filter((known) => known.promptId !== promptId);
    this.#askableAgain = again ? [...others, prompt].slice(-ENDED_MAX) : others;
    if (this.#selected?.promptId === promptId) this.#selected = null;
    this.#actions.print([`${shortId}: ${text}`, ...(again ? [`\`again ${shortId}\` asks again.`] : [])]);
  }

  /**
   * `k7 2` answers, `k7` selects, and the next line is the answer; `again k7` asks again. A line without an id never answers, because
   * another prompt may have arrived meanwhile.
   */
  async take(line: string): Promise<void> {
    const typed = line.trim();
    const [first = ""] = typed.split(/\s/);
    const value = typed.slice(first.length).trim();
    const find = (among: readonly ListedPrompt[], shortId: string): ListedPrompt | undefined =>
      among.find((prompt) => prompt.shortId === shortId.toLowerCase());
    const again = first.toLowerCase() === "again" ? find(this.#askableAgain, value) : undefined;
    const prompt = find(this.#hub.prompts, first);
    const selected = this.#selected;
    this.#selected = null;
    if (selected && typed !== "") await this.#answer(selected, typed);
    else if (selected || typed === "l" || typed === "list") this.#list();
    else if (typed === "") return;
    else if (typed === "q" || typed === "quit") this.#actions.quit();
    else if (again) this.settled(again, await this.#actions.askAgain(again.promptId));
    else if (SEVERAL.test(typed)) await this.#send(first, { value, alike: first.toLowerCase().split(",") });
    else if (prompt && value !== "") await this.#answer(prompt, value);
    else if (prompt) this.#select(prompt);
    else this.#printKnown([this.#describeUnknown(first)]);
  }

  #list(): void {
    const { prompts, unanswered, sessions } = this.#hub;
    const open = prompts.flatMap((prompt) => formatPrompt(prompt, this.#actions.now()));
    const unseen = describeUnseenSessions(sessions);
    const none = [describeNoOpenPrompts(unanswered, sessions)];
    this.#printKnown(open.length === 0 ? none : [...open, ...(unseen === null ? [] : [unseen])]);
  }

  /** Prints only while the open prompts are known. */
  #printKnown(lines: readonly string[]): void {
    this.#actions.print(this.#problem === null ? lines : [`Unknown: ${this.#problem}.`]);
  }

  #describeUnknown(shortId: string): string {
    const [known = "", ...others] = this.#hub.prompts.map((prompt) => prompt.shortId);
    if (known === "") return "No prompt is open.";
    const open = [known, ...others].join(", ");
    return `No open prompt is called ${JSON.stringify(shortId.slice(0, 20))}; open: ${open}. Type an id, or an id with its answer: ${known} 1`;
  }

  #select(prompt: ListedPrompt): void {
    this.#selected = prompt;
    const ask = `Your answer to ${prompt.shortId} (an empty line to cancel):`;
    this.#actions.print([...formatChoices(prompt), ask]);
  }

  /** `accept hidden 1` approves hidden content. Words after a choice's number are its text. */
  async #answer({ shortId, type, content }: ListedPrompt, line: string): Promise<void> {
    const typed = content.hidden ? line.replace(/^accept[ -]hidden +/i, "") : line;
    const accepted = typed !== line && { acceptHidden: true as const };
    const withText = type === "multiple_choice" ? /^(\d{1,3}) +(.+)$/.exec(typed) : null;
    const [, value = typed, text] = withText ?? [];
    await this.#send(shortId, { value, ...(text !== undefined && { text }), ...accepted });
  }

  async #send(shortId: string, given: WatchAnswer): Promise<void> {
    this.#actions.print([await this.#actions.answer(shortId, given)]);
  }
}
