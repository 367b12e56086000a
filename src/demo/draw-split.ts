/** Draws the demo: the agent's terminal on the left, the same prompt on a phone on the right. Pure. */
import { measureWidth } from "../worker/screen/widths.js";

/** A card as a chat shows it. */
export interface DemoCard {
  readonly title: string;
  readonly text: readonly string[];
  readonly buttons: readonly string[];
  /** The button that was tapped, from 0; null: none yet. */
  readonly tapped: number | null;
  /** What became of the answer; null while the prompt is open. */
  readonly outcome: string | null;
}

export interface DemoScene {
  readonly heading: string;
  /** Rows of the agent's terminal, the lowest last. */
  readonly terminal: readonly string[];
  /** Null until the prompt is on the phone. */
  readonly card: DemoCard | null;
  /** What to press. */
  readonly hint: string;
}

export interface DemoSize {
  readonly columns: number;
  readonly rows: number;
}

/** In less room the two would not stand side by side. */
export const SMALLEST: DemoSize = { columns: 70, rows: 18 };
/** Heading, blank row, two borders, blank row, hint. */
const ROWS_AROUND = 6;
const PHONE_COLUMNS = 32;
const GAP = "  ";

/** The rows of the whole screen. */
export function drawDemo(
  { heading, terminal, card, hint }: DemoScene,
  { columns, rows }: DemoSize,
): string[] {
  const height = rows - ROWS_AROUND;
  const left = columns - PHONE_COLUMNS - GAP.length - 1;
  const agent = drawBox("the agent's terminal", terminal.slice(-height), left, height);
  const phone = drawBox(
    "your phone",
    card === null ? [] : drawCard(card, PHONE_COLUMNS - 4),
    PHONE_COLUMNS,
    height,
  );
  return [
    clip(heading, columns - 1),
    "",
    ...agent.map((row, at) => `${row}${GAP}${phone[at] ?? ""}`),
    "",
    clip(hint, columns - 1),
  ];
}

function drawBox(title: string, content: readonly string[], columns: number, height: number): string[] {
  const inner = columns - 4;
  const rows = Array.from(
    { length: height },
    (_, at) => `│ ${fill(clip(content[at] ?? "", inner), inner)} │`,
  );
  const top = `╭─ ${title} `;
  return [`${top}${"─".repeat(columns - measureWidth(top) - 1)}╮`, ...rows, `╰${"─".repeat(columns - 2)}╯`];
}

function drawCard({ title, text, buttons, tapped, outcome }: DemoCard, columns: number): string[] {
  return [
    ...(outcome === null ? [] : [...wrap(outcome, columns), ""]),
    ...wrap(title, columns),
    "",
    ...text.flatMap((line) => wrap(line, columns)),
    ...(buttons.length === 0 || outcome !== null
      ? []
      : ["", ...buttons.map((label, at) => drawButton(label, at === tapped, columns))]),
  ];
}

function drawButton(label: string, isTapped: boolean, columns: number): string {
  const inner = columns - 4;
  return isTapped ? `[▶${fill(clip(label, inner), inner)} ]` : `[ ${fill(clip(label, inner), inner)} ]`;
}

function wrap(text: string, columns: number): string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(" ")) {
    const longer = row === "" ? word : `${row} ${word}`;
    if (row !== "" && measureWidth(longer) > columns) {
      rows.push(row);
      row = word;
    } else row = longer;
  }
  return [...rows, row];
}

function fill(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - measureWidth(text)));
}

function clip(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  let kept = "";
  for (const character of text) {
    if (measureWidth(kept) + measureWidth(character) > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
