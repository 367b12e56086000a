/** A session as text that grows at its end: what the agent says, its calls with what they change, its plan, and what is asked. */
import { describeHidden } from "../../../model/hidden.js";
import type { PromptEvent } from "../../../model/prompt.js";
import { makeVisible } from "../../../safety/display.js";
import type { WithdrawReason } from "../../../sdk/adapter.js";
import type { RefusalReason } from "../../prompts/pending-requests.js";
import type { Activity, PlanStep } from "./activity.js";
import { Markdown } from "./markdown.js";
import { contentText, isEnded, type ToolCall } from "./tool-call.js";
import { earlyEnding } from "./turn-ending.js";

/** More choices than there are digits are answered on the line. */
const KEYS_MAX = 9;
/** A call's output on the terminal; all of it is the agent's to tell. What a person has to judge is never cut. */
const OUTPUT_LINES_MAX = 12;

export interface TranscriptOptions {
  /** With colours, for a person's terminal. */
  readonly colours: boolean;
  /** Takes what is added; never nothing. */
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
type Style = keyof typeof STYLES;
const OFF = "\u001b[0m";

export class Transcript {
  readonly #options: TranscriptOptions;
  /** Whose text the last line is, while it is still open. */
  #open: "agent" | "user" | "thought" | null = null;
  /** The open text ends with a line's end. */
  #endsLine = false;
  readonly #markdown = new Markdown();
  #shownPlan = "";
  /** Of the latest call what it changes: shown before whatever comes next, and by its question if that is next. */
  #changes: readonly string[] = [];

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  /** Some are not shown. */
  activity(activity: Activity): void {
    this.#write(this.#activity(activity));
  }

  #activity(activity: Activity): string {
    switch (activity.kind) {
      case "said":
        return this.#said(activity.by, activity.text);
      case "call":
        return this.#call(activity.call, activity.before);
      case "plan":
        return this.#plan(activity.steps);
      case "notice":
        return this.#line(activity.text, "yellow");
      case "setting":
        return activity.lines.map((line) => this.#line(line, "dim")).join("");
      case "usage":
      case "turn":
        return "";
    }
  }

  /** A line of its own. */
  line(text: string, style?: Style): void {
    this.#write(this.#line(text, style));
  }

  #line(text: string, style?: Style): string {
    return `${this.#endLine()}${this.#row(text, style)}`;
  }

  #row(text: string, style?: Style): string {
    return `${this.#styled(makeVisible(text), style)}\n`;
  }

  /** Shows a service done for the agent (a file, a command), with its output. */
  service(line: string, more: readonly string[]): void {
    const rows = [this.#line(`  ↳ ${line}`, "dim"), ...more.map((each) => this.#line(`    ${each}`, "dim"))];
    this.#write(rows.join(""));
  }

  /** Shows a prompt with its content, and a number for each choice. */
  question(event: PromptEvent): void {
    const { excerpt, content, choices } = event;
    const rows = choices.map(
      ({ label, detail }, at) => `  ${at + 1}. ${label}${detail === undefined ? "" : ` – ${detail}`}`,
    );
    // What the call changes stands here whole: not twice, one below the other.
    this.#changes = this.#changes.filter((change) => !content.text.includes(change));
    const cut = content.cut ? `  (cut: ${content.cut.missing ?? "more is not known"})` : null;
    const hidden = content.hidden ? `  (${describeHidden(content.hidden)})` : null;
    const parts = [
      this.#endLine(),
      this.#line(`? ${excerpt}`, "bold"),
      content.text === "" ? "" : this.#block(content.text),
      cut === null ? "" : this.#line(cut, "yellow"),
      hidden === null ? "" : this.#line(hidden, "yellow"),
      // A content with numbers is not to be taken for a part of the choices.
      rows.length > 0 && (content.text !== "" || cut !== null) ? "\n" : "",
      ...rows.map((row) => this.#line(row, "cyan")),
      this.#line(`  ${answerHint(event)}`, "dim"),
    ];
    this.#write(parts.join(""));
  }

  /** What was answered, for the row below the question. */
  answered(event: PromptEvent, label: string, by: "here" | "elsewhere"): string {
    const where = by === "here" ? "" : " (answered remotely)";
    return this.#row(`→ ${label}${where}: ${firstLine(event)}`, "green");
  }

  /** That nobody answers it here any more, for the row below the question. */
  unanswered(event: PromptEvent, reason: WithdrawReason): string {
    return this.#row(`→ ${UNANSWERED[reason] ?? "cancelled"}: ${firstLine(event)}`, "yellow");
  }

  /** What was answered, where other things stand below the question by now. */
  answeredLater(row: string): void {
    this.#write(`${this.#endLine()}${row}`);
  }

  refused(question: string, why: RefusalReason): void {
    this.line(`? ${question} → refused: ${REFUSED[why]}`, "yellow");
  }

  /** A normal end shows no message. */
  turnEnd(stopReason: string | null): void {
    const words = earlyEnding(stopReason);
    this.#write(words === null ? this.#endLine() : this.#line(words, "yellow"));
  }

  #write(text: string): void {
    if (text !== "") this.#options.write(text);
  }

  /** Before what is not the agent's. */
  #endLine(): string {
    if (this.#open === null) return this.#changesShown();
    const rest = this.#open === "agent" ? this.#markdown.end() : "";
    const isEnded = this.#endsLine && rest === "";
    this.#open = null;
    return isEnded ? "" : `${rest}\n`;
  }

  #said(by: "agent" | "user" | "thought", text: string): string {
    const start = this.#open === by ? "" : `${this.#endLine()}${by === "user" ? "› " : ""}`;
    this.#open = by;
    this.#endsLine = text.endsWith("\n");
    const plain = makeVisible(text);
    if (by !== "agent") return `${start}${this.#styled(plain, "dim")}`;
    return `${start}${this.#options.colours ? this.#markdown.push(plain) : plain}`;
  }

  #call(call: ToolCall, before: ToolCall | undefined): string {
    const title = call.title ?? call.name ?? call.kind ?? "a tool";
    const isNew = before === undefined || (before.title === null && call.title !== null);
    const head = isNew ? this.#line(`● ${title}`, "bold") : "";
    const known = new Set(before?.content.map(contentText));
    const changes = call.content.filter(({ type }) => type === "diff").map(contentText);
    const news = changes.filter((change) => !known.has(change));
    const ended = call.status !== before?.status && isEnded(call);
    const rest = news.length > 0 ? this.#endLine() : "";
    this.#changes = [...this.#changes, ...news];
    return [
      head,
      rest,
      ended ? this.#endLine() : "",
      ended && call.status === "failed" ? this.#line(`  ✗ ${title}`, "red") : "",
      ended ? this.#output(call) : "",
    ].join("");
  }

  #changesShown(): string {
    const changes = this.#changes;
    this.#changes = [];
    return changes.map((change) => this.#block(change)).join("");
  }

  #output({ content }: ToolCall): string {
    const texts = content.filter((item) => item["type"] !== "diff").map(contentText);
    const lines = texts.join("\n").trimEnd().split("\n");
    if (lines.join("") === "") return "";
    const more = lines.length - OUTPUT_LINES_MAX;
    const shown = more > 0 ? lines.slice(-OUTPUT_LINES_MAX) : lines;
    const skipped = more > 0 ? [this.#line(`  … ${more} lines above`, "dim")] : [];
    return [...skipped, ...shown.map((line) => this.#line(`  ${line}`, "dim"))].join("");
  }

  #plan(steps: readonly PlanStep[]): string {
    const marks: Readonly<Record<string, string>> = { completed: "☑", in_progress: "▸" };
    const rows = steps.map(({ text, status }) => `  ${marks[status] ?? "☐"} ${text}`);
    const plan = rows.join("\n");
    if (plan === this.#shownPlan) return "";
    this.#shownPlan = plan;
    return [this.#line("Plan", "bold"), ...rows.map((row) => this.#line(row))].join("");
  }

  #block(text: string): string {
    return text
      .split("\n")
      .map((line) => this.#line(`  ${line}`, diffStyle(line)))
      .join("");
  }

  #styled(text: string, style: Style | undefined): string {
    return style && this.#options.colours && text !== "" ? `${STYLES[style]}${text}${OFF}` : text;
  }
}

/** Why a prompt can no longer be answered, unless it was cancelled. */
const UNANSWERED: Partial<Record<WithdrawReason, string>> = {
  answered_elsewhere: "answered elsewhere",
  timed_out: "nobody answered in time",
  went_on: "the agent continued without an answer",
  session_ended: "the agent ended without an answer",
};

/** Identifies a prompt by the first line of its question. */
function firstLine({ excerpt }: PromptEvent): string {
  return excerpt.split("\n", 1)[0] ?? "";
}

function answerHint({ choices, constraints, promptType }: PromptEvent): string {
  if (constraints.form) return "Answer with one line for each, or: decline";
  if (promptType === "free_text") return "Type your answer, or: decline";
  if (constraints.multi) return "Type their numbers (1,3), or: decline";
  return choices.length > KEYS_MAX ? "Type its number" : "One key answers; Esc stops the turn";
}

function diffStyle(line: string): Style | undefined {
  if (line.startsWith("+")) return "green";
  return line.startsWith("-") ? "red" : undefined;
}

const REFUSED: Readonly<Record<RefusalReason, string>> = {
  unattended: "nobody can answer",
  timed_out: "nobody answered in time",
};
