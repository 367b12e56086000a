/** Writes a session as text that grows at its end: the agent's messages, its calls with their changes, its plan, and its prompts. */
import { describeHidden } from "../../../model/hidden.js";
import type { PromptEvent } from "../../../model/prompt.js";
import { makeVisible } from "../../../safety/display.js";
import type { WithdrawReason } from "../../../sdk/adapter.js";
import type { RefusalReason } from "../../prompts/pending-requests.js";
import type { Activity, PlanStep } from "./activity.js";
import { Markdown } from "./markdown.js";
import { describeContent, isEnded, type ToolCall } from "./tool-call.js";
import { describeEarlyEnd } from "./turn-ending.js";

/** With more choices than there are digits, a prompt is answered on the line. */
const KEYS_MAX = 9;
/** Limit of a call's output on the terminal; the agent may show all of it. What a person has to judge is never cut. */
const OUTPUT_LINES_MAX = 12;

export interface TranscriptOptions {
  /** With colours, for a person's terminal. */
  readonly colours: boolean;
  /** Takes the added text, which is never empty. */
  readonly write: (text: string) => void;
}

const STYLES = {
  bold: "\u001b[1m",
  dim: "\u001b[2m",
  red: "\u001b[31m",
  green: "\u001b[32m",
  yellow: "\u001b[33m",
  cyan: "\u001b[36m",
} as const;
type LineStyle = keyof typeof STYLES;
const OFF = "\u001b[0m";

export class Transcript {
  readonly #options: TranscriptOptions;
  /** The author of the last line, while it is still open. */
  #open: "agent" | "user" | "thought" | null = null;
  /** Whether the open text ends with a line end. */
  #endsLine = false;
  readonly #markdown = new Markdown();
  #shownPlan = "";
  /** The changes of the latest call: they are shown before whatever comes next, or by its prompt if that is next. */
  #changes: readonly string[] = [];

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  /** Shows an activity; some kinds are not shown. */
  showActivity(activity: Activity): void {
    this.#write(this.#formatActivity(activity));
  }

  #formatActivity(activity: Activity): string {
    switch (activity.kind) {
      case "said":
        return this.#formatSaid(activity.by, activity.text);
      case "call":
        return this.#formatCall(activity.call, activity.before);
      case "plan":
        return this.#formatPlan(activity.steps);
      case "notice":
        return this.#formatLine(activity.text, "yellow");
      case "setting":
        return activity.lines.map((line) => this.#formatLine(line, "dim")).join("");
      case "usage":
      case "turn":
        return "";
    }
  }

  /** Shows a text on its own line. */
  showLine(text: string, style?: LineStyle): void {
    this.#write(this.#formatLine(text, style));
  }

  #formatLine(text: string, style?: LineStyle): string {
    return `${this.#endLine()}${this.#formatRow(text, style)}`;
  }

  #formatRow(text: string, style?: LineStyle): string {
    return `${this.#style(makeVisible(text), style)}\n`;
  }

  /** Shows a service done for the agent (a file, a command), with its output. */
  showService(line: string, more: readonly string[]): void {
    const rows = [
      this.#formatLine(`  ↳ ${line}`, "dim"),
      ...more.map((each) => this.#formatLine(`    ${each}`, "dim")),
    ];
    this.#write(rows.join(""));
  }

  /** Shows a prompt with its content, and a number for each choice. */
  showPrompt(event: PromptEvent): void {
    const { excerpt, content, choices } = event;
    const rows = choices.map(
      ({ label, detail }, at) => `  ${at + 1}. ${label}${detail === undefined ? "" : ` – ${detail}`}`,
    );
    // The prompt shows all changes of the call, so they are not shown twice.
    this.#changes = this.#changes.filter((change) => !content.text.includes(change));
    const cut = content.cut ? `  (cut: ${content.cut.missing ?? "more is not known"})` : null;
    const hidden = content.hidden ? `  (${describeHidden(content.hidden)})` : null;
    const parts = [
      this.#endLine(),
      this.#formatLine(`? ${excerpt}`, "bold"),
      content.text === "" ? "" : this.#formatBlock(content.text),
      cut === null ? "" : this.#formatLine(cut, "yellow"),
      hidden === null ? "" : this.#formatLine(hidden, "yellow"),
      // Numbers in the content must not look like choices.
      rows.length > 0 && (content.text !== "" || cut !== null) ? "\n" : "",
      ...rows.map((row) => this.#formatLine(row, "cyan")),
      this.#formatLine(`  ${describeHowToAnswer(event)}`, "dim"),
    ];
    this.#write(parts.join(""));
  }

  /** Formats the answer, for the row below the prompt. */
  formatAnswered(event: PromptEvent, label: string, by: "here" | "elsewhere"): string {
    const where = by === "here" ? "" : " (answered remotely)";
    return this.#formatRow(`→ ${label}${where}: ${getFirstLine(event)}`, "green");
  }

  /** Formats the end of a prompt without an answer here, for the row below it. */
  formatUnanswered(event: PromptEvent, reason: WithdrawReason): string {
    return this.#formatRow(`→ ${UNANSWERED[reason] ?? "cancelled"}: ${getFirstLine(event)}`, "yellow");
  }

  /** Shows the answer, where other text is already below the prompt. */
  showAnsweredLater(row: string): void {
    this.#write(`${this.#endLine()}${row}`);
  }

  showRefused(question: string, why: RefusalReason): void {
    this.showLine(`? ${question} → refused: ${REFUSED[why]}`, "yellow");
  }

  /** Ends the open line, before the person's first task. */
  showReady(): void {
    this.#write(this.#endLine());
  }

  /** A normal end shows no message. */
  showTurnEnd(stopReason: string | null): void {
    const words = describeEarlyEnd(stopReason);
    this.#write(words === null ? this.#endLine() : this.#formatLine(words, "yellow"));
  }

  #write(text: string): void {
    if (text !== "") this.#options.write(text);
  }

  /** Ends the open line, before text that is not the agent's. */
  #endLine(): string {
    if (this.#open === null) return this.#takeChanges();
    const rest = this.#open === "agent" ? this.#markdown.end() : "";
    const isEnded = this.#endsLine && rest === "";
    this.#open = null;
    return isEnded ? "" : `${rest}\n`;
  }

  #formatSaid(by: "agent" | "user" | "thought", text: string): string {
    const start = this.#open === by ? "" : `${this.#endLine()}${by === "user" ? "› " : ""}`;
    this.#open = by;
    this.#endsLine = text.endsWith("\n");
    const plain = makeVisible(text);
    if (by !== "agent") return `${start}${this.#style(plain, "dim")}`;
    return `${start}${this.#options.colours ? this.#markdown.push(plain) : plain}`;
  }

  #formatCall(call: ToolCall, before: ToolCall | undefined): string {
    const title = call.title ?? call.name ?? call.kind ?? "a tool";
    const isNew = before === undefined || (before.title === null && call.title !== null);
    const head = isNew ? this.#formatLine(`● ${title}`, "bold") : "";
    const known = new Set(before?.content.map(describeContent));
    const changes = call.content.filter(({ type }) => type === "diff").map(describeContent);
    const news = changes.filter((change) => !known.has(change));
    const ended = call.status !== before?.status && isEnded(call);
    const rest = news.length > 0 ? this.#endLine() : "";
    this.#changes = [...this.#changes, ...news];
    return [
      head,
      rest,
      ended ? this.#endLine() : "",
      ended && call.status === "failed" ? this.#formatLine(`  ✗ ${title}`, "red") : "",
      ended ? this.#formatOutput(call) : "",
    ].join("");
  }

  #takeChanges(): string {
    const changes = this.#changes;
    this.#changes = [];
    return changes.map((change) => this.#formatBlock(change)).join("");
  }

  #formatOutput({ content }: ToolCall): string {
    const texts = content.filter((item) => item["type"] !== "diff").map(describeContent);
    const lines = texts.join("\n").trimEnd().split("\n");
    if (lines.join("") === "") return "";
    const more = lines.length - OUTPUT_LINES_MAX;
    const shown = more > 0 ? lines.slice(-OUTPUT_LINES_MAX) : lines;
    const skipped = more > 0 ? [this.#formatLine(`  … ${more} lines above`, "dim")] : [];
    return [...skipped, ...shown.map((line) => this.#formatLine(`  ${line}`, "dim"))].join("");
  }

  #formatPlan(steps: readonly PlanStep[]): string {
    const marks: Readonly<Record<string, string>> = { completed: "☑", in_progress: "▸" };
    const rows = steps.map(({ text, status }) => `  ${marks[status] ?? "☐"} ${text}`);
    const plan = rows.join("\n");
    if (plan === this.#shownPlan) return "";
    this.#shownPlan = plan;
    return [this.#formatLine("Plan", "bold"), ...rows.map((row) => this.#formatLine(row))].join("");
  }

  #formatBlock(text: string): string {
    return text
      .split("\n")
      .map((line) => this.#formatLine(`  ${line}`, findDiffStyle(line)))
      .join("");
  }

  #style(text: string, style: LineStyle | undefined): string {
    return style && this.#options.colours && text !== "" ? `${STYLES[style]}${text}${OFF}` : text;
  }
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

/** Identifies a prompt by the first line of its question. */
function getFirstLine({ excerpt }: PromptEvent): string {
  return excerpt.split("\n", 1)[0] ?? "";
}

function describeHowToAnswer({ choices, constraints, promptType }: PromptEvent): string {
  if (constraints.form) return "Answer with one line for each, or: decline";
  if (promptType === "free_text") return "Type your answer, or: decline";
  if (constraints.multi) return "Type their numbers (1,3), or: decline";
  return choices.length > KEYS_MAX ? "Type its number" : "One key answers; Esc stops the turn";
}

function findDiffStyle(line: string): LineStyle | undefined {
  if (line.startsWith("+")) return "green";
  return line.startsWith("-") ? "red" : undefined;
}

const REFUSED: Readonly<Record<RefusalReason, string>> = {
  unattended: "nobody can answer",
  timed_out: "nobody answered in time",
};
