/** Writes a session as plain lines: the agent's messages, its calls with their changes, its plan, and its prompts. */
import { describeHidden } from "../../../model/hidden.js";
import type { PromptEvent } from "../../../model/prompt.js";
import { makeVisible } from "../../../safety/display.js";
import type { WithdrawReason } from "../../../sdk/adapter.js";
import type { RefusalReason } from "../../prompts/pending-requests.js";
import type { Activity, PlanStep } from "./activity.js";
import { describeContent, isEnded, type ToolCall } from "./tool-call.js";
import { describeEarlyEnd } from "./turn-ending.js";

/** Limit of a call's output on the terminal; the agent may show all of it. What a person has to judge is never cut. */
const OUTPUT_LINES_MAX = 12;

type Speaker = "agent" | "user" | "thought";
const SPEAKER_MARKS: Readonly<Record<Speaker, string>> = { agent: "", user: "› ", thought: "(thinks) " };

export class Transcript {
  readonly #write: (text: string) => void;
  #speaker: Speaker | null = null;
  #isAtRowStart = true;
  #shownPlan = "";
  /** The changes of the latest call: they are shown before whatever comes next, or by its prompt if that is next. */
  #changes: readonly string[] = [];

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  showActivity(activity: Activity): void {
    if (activity.kind === "said") this.#showSaid(activity.by, activity.text);
    else if (activity.kind === "call") this.#showCall(activity.call, activity.before);
    else if (activity.kind === "plan") this.#showPlan(activity.steps);
    else if (activity.kind === "notice") this.showLine(activity.text);
    else if (activity.kind === "setting") for (const line of activity.lines) this.showLine(line);
  }

  showLine(text: string): void {
    this.endText();
    this.#put(`${makeVisible(text)}\n`);
  }

  showService(line: string, more: readonly string[]): void {
    this.showLine(`  ↳ ${line}`);
    for (const each of more) this.showLine(`    ${each}`);
  }

  showPrompt(event: PromptEvent): void {
    const { excerpt, content, choices } = event;
    // The prompt shows all changes of the call, so they are not shown twice.
    this.#changes = this.#changes.filter((change) => !content.text.includes(change));
    this.showLine(`? ${excerpt}`);
    if (content.text !== "") this.#showBlock(content.text);
    if (content.cut) this.showLine(`  (cut: ${content.cut.missing ?? "more is not known"})`);
    if (content.hidden) this.showLine(`  (${describeHidden(content.hidden)})`);
    // Numbers in the content must not look like choices.
    if (choices.length > 0 && (content.text !== "" || content.cut)) this.#put("\n");
    choices.forEach(({ label, detail }, at) =>
      this.showLine(`  ${at + 1}. ${label}${detail === undefined ? "" : ` – ${detail}`}`),
    );
    this.showLine(`  ${describeHowToAnswer(event)}`);
  }

  showRefused(question: string, why: RefusalReason): void {
    this.showLine(`? ${question} → refused: ${REFUSED[why]}`);
  }

  showTurnEnd(stopReason: string | null): void {
    const words = describeEarlyEnd(stopReason);
    if (words === null) this.endText();
    else this.showLine(words);
  }

  endText(): void {
    this.#speaker = null;
    if (!this.#isAtRowStart) this.#put("\n");
    const changes = this.#changes;
    this.#changes = [];
    for (const change of changes) this.#showBlock(change);
  }

  #put(text: string): void {
    if (text === "") return;
    this.#isAtRowStart = text.endsWith("\n");
    this.#write(text);
  }

  #showSaid(by: Speaker, text: string): void {
    if (this.#speaker !== by) {
      this.endText();
      this.#put(SPEAKER_MARKS[by]);
    }
    this.#speaker = by;
    this.#put(makeVisible(text));
  }

  #showCall(call: ToolCall, before: ToolCall | undefined): void {
    const title = call.title ?? call.name ?? call.kind ?? "a tool";
    if (before === undefined || (before.title === null && call.title !== null)) this.showLine(`● ${title}`);
    const known = new Set(before?.content.map(describeContent));
    const changes = call.content.filter(({ type }) => type === "diff").map(describeContent);
    this.#changes = [...this.#changes, ...changes.filter((change) => !known.has(change))];
    if (!isEnded(call) || call.status === before?.status) return;
    if (call.status === "failed") this.showLine(`  ✗ ${title}`);
    const output = call.content.filter(({ type }) => type !== "diff").map(describeContent);
    for (const line of takeLastLines(output.join("\n"))) this.showLine(`  ${line}`);
  }

  #showPlan(steps: readonly PlanStep[]): void {
    const marks: Readonly<Record<string, string>> = { completed: "☑", in_progress: "▸" };
    const plan = steps.map(({ text, status }) => `  ${marks[status] ?? "☐"} ${text}`).join("\n");
    if (plan === this.#shownPlan) return;
    this.#shownPlan = plan;
    this.showLine(`Plan\n${plan}`);
  }

  #showBlock(text: string): void {
    for (const line of text.split("\n")) this.showLine(`  ${line}`);
  }
}

/** The part of an output that people see: its end says how it went. */
export function takeLastLines(output: string): string[] {
  const lines = output.trimEnd().split("\n");
  if (lines.join("") === "") return [];
  const more = lines.length - OUTPUT_LINES_MAX;
  return more > 0 ? [`… ${more} lines above`, ...lines.slice(-OUTPUT_LINES_MAX)] : lines;
}

/** Why a prompt can no longer be answered, unless it was cancelled. */
const UNANSWERED: Partial<Record<WithdrawReason, string>> = {
  answered_elsewhere: "answered elsewhere",
  timed_out: "nobody answered in time",
  refused_late: "refused, because nobody answered in time",
  went_on: "the agent continued without an answer",
  kept_changing: "refused, because the agent changed it again and again",
  same_id: "refused, because the agent asked twice under one id",
  unattended: "refused, because nobody could be reached to answer",
  session_ended: "the agent ended without an answer",
};

export function describeAnswered(event: PromptEvent, label: string, by: "here" | "elsewhere"): string {
  return `→ ${label}${by === "here" ? "" : " (answered remotely)"}: ${getFirstLine(event)}`;
}

export function describeUnanswered(event: PromptEvent, reason: WithdrawReason): string {
  return `→ ${UNANSWERED[reason] ?? "cancelled"}: ${getFirstLine(event)}`;
}

function getFirstLine({ excerpt }: PromptEvent): string {
  return excerpt.split("\n", 1)[0] ?? "";
}

function describeHowToAnswer({ constraints, promptType }: PromptEvent): string {
  if (constraints.form) return "Answer with one line for each, or: decline";
  if (promptType === "free_text") return "Type your answer, or: decline";
  return constraints.multi
    ? "Type their numbers (1,3), or: decline"
    : "Type its number; Ctrl-C stops the turn";
}

const REFUSED: Readonly<Record<RefusalReason, string>> = {
  unattended: "nobody can answer",
  timed_out: "nobody answered in time",
};
