/** A session as text that grows at its end: what the agent says, its calls with what they change, its plan, and what is asked. */
import type { PromptEvent } from "../../../model/prompt.js";
import { visible } from "../../../safety/display.js";
import type { Activity, PlanStep } from "./activity.js";
import { Markdown } from "./markdown.js";
import { contentText, type ToolCall } from "./tool-call.js";

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
    return `${this.#endLine()}${this.#styled(visible(text), style)}\n`;
  }

  /** What was done for the agent on its word, and what came of it. */
  service(line: string, more: readonly string[]): void {
    const rows = [this.#line(`  ↳ ${line}`, "dim"), ...more.map((each) => this.#line(`    ${each}`, "dim"))];
    this.#write(rows.join(""));
  }

  /** A question with all that is to be judged, and a number for each choice. */
  question(event: PromptEvent): void {
    const { excerpt, content, choices } = event;
    const rows = choices.map(
      ({ label, detail }, at) => `  ${at + 1}. ${label}${detail === undefined ? "" : ` – ${detail}`}`,
    );
    const parts = [
      this.#endLine(),
      this.#line(`? ${excerpt}`, "bold"),
      content.text === "" ? "" : this.#block(content.text),
      content.cut ? this.#line(`  (cut: ${content.cut.missing ?? "more is not known"})`, "yellow") : "",
      ...rows.map((row) => this.#line(row, "cyan")),
      this.#line(`  ${howTo(event)}`, "dim"),
    ];
    this.#write(parts.join(""));
  }

  answered(label: string, by: "here" | "elsewhere"): void {
    this.line(by === "here" ? `→ ${label}` : `→ ${label} (answered remotely)`, "green");
  }

  refused(question: string): void {
    this.line(`? ${question}: refused, for nobody is here to answer`, "yellow");
  }

  /** Of the usual end nothing is said. */
  turnEnd(stopReason: string | null): void {
    const words = ENDINGS.get(stopReason ?? "");
    this.#write(words === undefined ? this.#endLine() : this.#line(words, "yellow"));
  }

  #write(text: string): void {
    if (text !== "") this.#options.write(text);
  }

  /** Before what is not the agent's. */
  #endLine(): string {
    if (this.#open === null) return "";
    const rest = this.#open === "agent" ? this.#markdown.end() : "";
    const isEnded = this.#endsLine && rest === "";
    this.#open = null;
    return isEnded ? "" : `${rest}\n`;
  }

  #said(by: "agent" | "user" | "thought", text: string): string {
    const start = this.#open === by ? "" : `${this.#endLine()}${by === "user" ? "› " : ""}`;
    this.#open = by;
    this.#endsLine = text.endsWith("\n");
    const plain = visible(text);
    if (by !== "agent") return `${start}${this.#styled(plain, "dim")}`;
    return `${start}${this.#options.colours ? this.#markdown.push(plain) : plain}`;
  }

  #call(call: ToolCall, before: ToolCall | undefined): string {
    const title = call.title ?? call.name ?? call.kind ?? "a tool";
    const isNew = before === undefined || (before.title === null && call.title !== null);
    const head = isNew ? this.#line(`● ${title}`, "bold") : "";
    const changes = call.content.filter((item) => item["type"] === "diff" && !before?.content.includes(item));
    const diffs = call.content === before?.content ? [] : changes;
    const ended = call.status !== before?.status && (call.status === "completed" || call.status === "failed");
    return [
      head,
      ...diffs.map((diff) => this.#block(contentText(diff))),
      ended && call.status === "failed" ? this.#line(`  ✗ ${title}`, "red") : "",
      ended ? this.#output(call) : "",
    ].join("");
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
      .map((line) => this.#line(`  ${line}`, styleOf(line)))
      .join("");
  }

  #styled(text: string, style: Style | undefined): string {
    return style && this.#options.colours && text !== "" ? `${STYLES[style]}${text}${OFF}` : text;
  }
}

function howTo({ choices, constraints, promptType }: PromptEvent): string {
  if (constraints.form) return "Answer with one line for each, or: decline";
  if (promptType === "free_text") return "Type your answer, or: decline";
  if (constraints.multi) return "Type their numbers (1,3), or: decline";
  return choices.length > KEYS_MAX ? "Type its number" : "One key answers; Esc stops the turn";
}

function styleOf(line: string): Style | undefined {
  if (line.startsWith("+")) return "green";
  return line.startsWith("-") ? "red" : undefined;
}

/** What a person should know of how a turn ended. */
const ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cancelled: "Cancelled.",
    refusal: "The agent refused to go on.",
    max_tokens: "It ended because the answer became too long.",
    max_turn_requests: "It ended because the turn took too many steps.",
  }),
);
