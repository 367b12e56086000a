/**
 * Draws the demo: the agent's terminal on the left, its prompts on a phone on the right. A key taps a button there, and the answer goes
 * through the hub.
 */
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { on } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { needsQuestion } from "../sdk/card-parts.js";
import { formatTitle } from "../sdk/card-words.js";
import type { ListedPrompt } from "../wire/listings.js";
import { Screen } from "../worker/screen/screen.js";
import { DEMO_ADAPTER, DEMO_STEPS, type DemoStage, type DemoStep } from "./demo.js";

/** The size of a session without a terminal. */
const AGENT_SIZE = { cols: 120, rows: 50 };
const OUTCOME_SHOWN_MS = 1_600;
/** Long enough to see which button was tapped. */
const TAP_SHOWN_MS = 350;
const LEAVE_KEYS = ["q", "\u0003"];

/** The alternate screen keeps the previous content. */
const TAKE = "\u001b[?1049h\u001b[?25l\u001b[?7l";
const GIVE_BACK = "\u001b[?7h\u001b[?25h\u001b[?1049l";

export class DemoScreen implements DemoStage {
  readonly #agent = new Screen(AGENT_SIZE);
  readonly #keys = on(process.stdin, "data");
  #scene: Omit<DemoScene, "terminal"> = { heading: "", card: null, hint: "" };

  constructor() {
    process.stdin.setRawMode(true).resume();
    process.stdout.on("resize", this.#redraw);
    process.stdout.write(TAKE);
  }

  close(): void {
    void this.#keys.return?.();
    process.stdin.setRawMode(false).pause();
    process.stdout.off("resize", this.#redraw);
    process.stdout.write(GIVE_BACK);
    this.#agent.dispose();
  }

  onOutput(chunk: Buffer): void {
    this.#agent.write(chunk);
    void this.#agent.flushed().then(this.#redraw);
  }

  announce(at: number): void {
    const heading = `A scripted agent asks ${DEMO_STEPS.length} questions. Question ${at + 1} …`;
    this.#show({ heading, card: null, hint: "q quits" });
  }

  async ask(step: DemoStep, at: number, prompt: ListedPrompt): Promise<string | null> {
    const card = toCard(prompt);
    const heading = `Question ${at + 1} of ${DEMO_STEPS.length}, in the terminal and on the phone.`;
    this.#show({ heading, card, hint: describeKeys(step, prompt) });
    const value = await this.#readAnswer(step, prompt);
    if (value === null || step.isSecret) return value;
    const tapped = prompt.choices.findIndex(({ index }) => String(index) === value);
    this.#show({ heading: "The phone answers …", card: { ...card, tapped }, hint: "" });
    await pause(TAP_SHOWN_MS);
    return value;
  }

  async showOutcome(outcome: string, heading: string): Promise<void> {
    const { card } = this.#scene;
    this.#show({ heading, card: card && { ...card, outcome }, hint: "" });
    await pause(OUTCOME_SHOWN_MS);
  }

  async #readAnswer({ answer, isSecret }: DemoStep, { choices }: ListedPrompt): Promise<string | null> {
    const isSingle = isSecret !== true && choices.some(({ index }) => String(index) === answer);
    for (;;) {
      const { value } = (await this.#keys.next()) as { readonly value: [Buffer] };
      const key = value[0].toString("utf8");
      if (LEAVE_KEYS.includes(key)) return null;
      if (key === "\r" || key === "\n") return answer;
      if (isSingle && choices.some(({ index }) => String(index) === key)) return key;
      if (/^[yn]$/.test(answer) && /^[yn]$/.test(key)) return key;
    }
  }

  #show(scene: Omit<DemoScene, "terminal">): void {
    this.#scene = scene;
    this.#redraw();
  }

  readonly #redraw = (): void => {
    const lines = this.#agent.view().lines.map(({ text }) => text.trimEnd());
    const terminal = lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
    const rows = drawDemo({ ...this.#scene, terminal }, process.stdout).map((row) => `${row}\u001b[K`);
    process.stdout.write(`\u001b[H${rows.join("\r\n")}\u001b[J`);
  };
}

function toCard({ safetyClass, type, content, excerpt, choices }: ListedPrompt): DemoCard {
  const text = content.text === "" ? [] : content.text.split("\n");
  const question = needsQuestion({ question: excerpt, content }, true) ? [excerpt] : [];
  return {
    title: formatTitle({ safetyClass, promptType: type }, DEMO_ADAPTER),
    text: [...text, ...(text.length > 0 && question.length > 0 ? [""] : []), ...question],
    buttons: choices.map(({ index, label }) => (type === "yes_no" ? label : `${index}. ${label}`)),
    tapped: null,
    outcome: null,
  };
}

function describeKeys({ answer, isSecret, words }: DemoStep, { choices }: ListedPrompt): string {
  if (isSecret) return "Enter types a password at the agent's terminal · q quits";
  if (choices.some(({ index }) => String(index) === answer))
    return `Enter taps ${words} on the phone, 1-${choices.length} another · q quits`;
  if (/^[yn]$/.test(answer)) return "y taps Yes on the phone, n or Enter taps No · q quits";
  return `Enter sends ${words} from the phone · q quits`;
}

export interface DemoCard {
  readonly title: string;
  readonly text: readonly string[];
  readonly buttons: readonly string[];
  /** The index of the tapped button, or null. */
  readonly tapped: number | null;
  /** Null while the prompt is open. */
  readonly outcome: string | null;
}

export interface DemoScene {
  readonly heading: string;
  /** The lowest row last. */
  readonly terminal: readonly string[];
  /** Null before the prompt is on the phone. */
  readonly card: DemoCard | null;
  readonly hint: string;
}

export interface DemoSize {
  readonly columns: number;
  readonly rows: number;
}

/** Below this size the two do not fit side by side. */
export const SMALLEST: DemoSize = { columns: 60, rows: 18 };
/** Heading, blank row, two borders, blank row, hint. */
const ROWS_AROUND = 6;
const PHONE_COLUMNS = 32;
const GAP = "  ";

/** The rows of the whole screen. In a window below `SMALLEST`, what has no room is cut off. */
export function drawDemo({ heading, terminal, card, hint }: DemoScene, size: DemoSize): string[] {
  const columns = Math.max(size.columns, SMALLEST.columns);
  const rows = Math.max(size.rows, SMALLEST.rows);
  const height = rows - ROWS_AROUND;
  const left = columns - PHONE_COLUMNS - GAP.length - 1;
  const agent = drawBox("the agent's terminal", terminal.slice(-height), left, height);
  const phone = drawBox("your phone", card ? drawCard(card, PHONE_COLUMNS - 4) : [], PHONE_COLUMNS, height);
  const drawn = [heading, "", ...agent.map((row, at) => `${row}${GAP}${phone[at] ?? ""}`), "", hint];
  return drawn.slice(0, size.rows).map((row) => truncateToWidth(row, size.columns - 1, "…"));
}

function drawBox(title: string, content: readonly string[], columns: number, height: number): string[] {
  const rows = Array.from({ length: height }, (_, at) => `│ ${fit(content[at] ?? "", columns - 4)} │`);
  const top = `╭─ ${title} `;
  return [`${top}${"─".repeat(columns - visibleWidth(top) - 1)}╮`, ...rows, `╰${"─".repeat(columns - 2)}╯`];
}

function drawCard({ title, text, buttons, tapped, outcome }: DemoCard, columns: number): string[] {
  const wrap = (line: string): string[] => wrapTextWithAnsi(line, columns);
  const drawn = buttons.map((label, at) => `[${at === tapped ? "▶" : " "}${fit(label, columns - 4)} ]`);
  return [
    ...(outcome === null ? [] : [...wrap(outcome), ""]),
    ...wrap(title),
    "",
    // An answered card is folded, as on a phone.
    ...(outcome === null ? text.flatMap(wrap) : []),
    ...(drawn.length === 0 || outcome !== null ? [] : ["", ...drawn]),
  ];
}

function fit(text: string, columns: number): string {
  return truncateToWidth(text, columns, "…", true);
}
