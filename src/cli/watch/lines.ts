/** `watch` without a terminal: prints open prompts as lines and reads answers as lines. */
import { createInterface } from "node:readline";
import { createConfiguredNotifier, type CallPerson } from "../../app/hub/notify.js";
import { watchPrompts, type PromptEnd, type WatchListener } from "../../client/watch-hub.js";
import type { ListedPrompt } from "../../wire/listings.js";
import { requireDone } from "../commands/answer.js";
import {
  describeNoOpenPrompts,
  describeUnseenSessions,
  type FollowedSession,
  type UnansweredPrompt,
} from "../../model/no-open-prompts.js";
import { formatChoices, formatPrompt } from "../format.js";
import { printError, printLines } from "../output.js";
import { readWatchLine, type WatchStep } from "./line-input.js";

const HELP = "Answer with `k7 2`, or select a prompt by typing `k7`. `l` lists, `q` quits.";
/** Older ones are listed by `prompts --all`. */
const ENDED_MAX = 20;

export async function watchInLines(): Promise<void> {
  const stop = new AbortController();
  // In piped output a bell would be just another character.
  const view = new WatchLines(() => stop.abort(), createConfiguredNotifier(null));
  printLines([HELP]);
  view.readLines();
  await watchPrompts(view, stop.signal);
}

class WatchLines implements WatchListener {
  readonly #open = new Map<string, ListedPrompt>();
  readonly #stop: () => void;
  readonly #callPerson: CallPerson;
  /** Settled prompts that may be asked again, oldest first. */
  #askableAgain: readonly ListedPrompt[] = [];
  /** Ended prompts that may still wait at their terminals. */
  #unanswered: readonly UnansweredPrompt[] = [];
  #sessions: readonly FollowedSession[] = [];
  #selected: ListedPrompt | null = null;
  #wasConnected = false;
  /** Why the open prompts are unknown; null while a hub is connected. */
  #problem: string | null = "the hub has not responded yet";

  constructor(stop: () => void, callPerson: CallPerson) {
    this.#stop = stop;
    this.#callPerson = callPerson;
  }

  /** Reads plain lines, which works over pipes and dumb terminals too. The end of a pipe does not quit; Ctrl-D does. */
  readLines(): void {
    const lines = createInterface({ input: process.stdin, terminal: false });
    lines.on("line", (line) => void this.#step(line));
    lines.on("close", () => {
      if (process.stdin.isTTY) this.#stop();
    });
  }

  connected(isConnected: boolean): void {
    if (!isConnected) printLines(["The hub stopped responding; waiting."]);
    else if (this.#wasConnected) printLines(["Connected again."]);
    this.#wasConnected ||= isConnected;
    this.#problem = isConnected ? null : "the hub stopped responding";
  }

  hubMissing(why: string): void {
    if (this.#problem !== why) printLines([`Waiting: ${why}.`]);
    this.#problem = why;
  }

  raised(prompt: ListedPrompt): void {
    this.#open.set(prompt.promptId, prompt);
    printLines(["", ...formatPrompt(prompt, Date.now())]);
    this.#callPerson(prompt);
  }

  settled(prompt: ListedPrompt, end: PromptEnd): void {
    this.#open.delete(prompt.promptId);
    this.#printEnd(prompt, end);
    if (this.#selected?.promptId === prompt.promptId) this.#selected = null;
  }

  unanswered(ended: readonly UnansweredPrompt[], sessions: readonly FollowedSession[]): void {
    this.#unanswered = ended;
    this.#sessions = sessions;
  }

  async #step(line: string): Promise<void> {
    const step = readWatchLine(
      line,
      { open: [...this.#open.values()], ended: this.#askableAgain },
      this.#selected,
    );
    this.#selected = null;
    if (step.kind === "quit") this.#quit();
    else if (step.kind === "list") this.#list();
    else if (step.kind === "select") this.#select(step.prompt);
    else if (step.kind === "unclear") this.#complain(step.problem);
    else if (step.kind === "again") await this.#askAgain(step.prompt);
    else if (step.kind === "together") await this.#answerTogether(step);
    else if (step.kind === "answer") await this.#answer(step);
  }

  #printEnd(prompt: ListedPrompt, { text, again }: PromptEnd): void {
    const { promptId, shortId } = prompt;
    const others = this.#askableAgain.filter((known) => known.promptId !== promptId);
    this.#askableAgain = again ? [...others, prompt].slice(-ENDED_MAX) : others;
    printLines([`${shortId}: ${text}`, ...(again ? [`\`again ${shortId}\` asks again.`] : [])]);
  }

  async #askAgain(prompt: ListedPrompt): Promise<void> {
    const { askAgain } = await import("../../client/ask-hub.js");
    try {
      this.#printEnd(prompt, await askAgain(prompt.promptId));
    } catch (error) {
      printError(error);
    }
  }

  #quit(): void {
    process.stdin.destroy();
    this.#stop();
  }

  #list(): void {
    if (this.#problem !== null) {
      printLines([`Unknown: ${this.#problem}.`]);
      return;
    }
    const prompts = [...this.#open.values()];
    const unseen = describeUnseenSessions(this.#sessions);
    printLines(
      prompts.length === 0
        ? [describeNoOpenPrompts(this.#unanswered, this.#sessions)]
        : [
            ...prompts.flatMap((prompt) => formatPrompt(prompt, Date.now())),
            ...(unseen === null ? [] : [unseen]),
          ],
    );
  }

  /** A line that matches no prompt may match one that is not known yet. */
  #complain(problem: string): void {
    printLines([this.#problem === null ? problem : `Unknown: ${this.#problem}.`]);
  }

  #select(prompt: ListedPrompt): void {
    this.#selected = prompt;
    printLines([...formatChoices(prompt), `Your answer to ${prompt.shortId} (an empty line to cancel):`]);
  }

  async #answerTogether({ shortIds, value }: Extract<WatchStep, { kind: "together" }>): Promise<void> {
    const { answerSeveral, describeAnsweredTogether } = await import("../../client/answer-several.js");
    try {
      printLines(describeAnsweredTogether(await answerSeveral(shortIds, value)));
    } catch (error) {
      printError(error);
    }
  }

  async #answer(step: Extract<WatchStep, { kind: "answer" }>): Promise<void> {
    const { prompt, value, text, acceptHidden } = step;
    const { shortId } = prompt;
    const { answerPrompt } = await import("../../client/ask-hub.js");
    try {
      const given = { value, ...(text === undefined ? {} : { text }), ...(acceptHidden && { acceptHidden }) };
      const outcome = await answerPrompt({ shortId, ...given }, false);
      if (outcome.kind === "refused" && outcome.code === "hidden") {
        const how = `\`${shortId} accept hidden ${value}\` approves unseen.`;
        printLines([`${shortId}: ${outcome.text} ${how}`]);
        return;
      }
      printLines([`${shortId}: ${requireDone(shortId, outcome).text}`]);
    } catch (error) {
      printError(error);
    }
  }
}
