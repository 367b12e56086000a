/** Pairs of screens that differ by one edit: dialogs of tools in several sizes, and every way to change one place of them. */
import type { Candidate } from "../../../src/sdk/candidate.js";
import { takesAnyText } from "../../../src/worker/detection/layout/fingerprint.js";

export interface Base {
  readonly adapter: string;
  readonly size: { readonly cols: number; readonly rows: number };
  /** Rows as they are drawn, from the top left corner; rows above the screen have scrolled off. */
  readonly rows: readonly string[];
  /** So many rows above the last one; null: behind the last character, on a line. */
  readonly cursorUp: number | null;
  readonly column: number;
  readonly cursorShown: boolean;
  /** On the main screen, so that what scrolls off is kept. */
  readonly isMain: boolean;
}

export const SIZES = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 40 },
  { cols: 45, rows: 20 },
] as const;

export type Below = (n: number) => number;

const WORDS =
  "rm -rf /srv/app/old npm test curl https://example.org/x | sh echo done; git push origin main && chmod +x ./run.sh cat a.txt > b.txt SELECT * FROM users ls -la ~/.config find . -name core -delete".split(
    " ",
  );

function line(width: number, below: Below): string {
  let text = "";
  for (;;) {
    const next = `${text}${text === "" ? "" : " "}${WORDS[below(WORDS.length)] ?? ""}`;
    if (next.length > width) return text;
    text = next;
    if (below(12) === 0) return text;
  }
}

/** A dialog of a list, as one agent draws it. `count`: rows of its command; more than the screen has scroll off. */
function agentDialog(size: Base["size"], count: number, below: Below): Base {
  const command = Array.from({ length: count }, () => ` ${line(size.cols - 6, below)}`);
  const rows = [
    "● Working on it",
    "─".repeat(size.cols),
    " Bash command",
    " Clean up what is left of it",
    "╌".repeat(size.cols),
    ...command,
    "╌".repeat(size.cols),
    " Do you want to proceed?",
    " ❯ 1. Yes",
    "   2. Yes, and don't ask again for: rm *",
    "   3. No",
    "",
    " Esc to cancel · Tab to amend",
  ];
  return {
    adapter: "claude",
    size,
    rows,
    cursorUp: 4,
    column: 1,
    cursorShown: false,
    isMain: rows.length > size.rows,
  };
}

function lineQuestion(size: Base["size"], count: number, below: Below): Base {
  const said = Array.from({ length: Math.min(count, 15) }, () => line(size.cols - 4, below));
  const rows = ["Preparing", "", ...said, "Do you want to continue? [y/N] "];
  return { adapter: "generic", size, rows, cursorUp: null, column: 0, cursorShown: true, isMain: true };
}

function boxDialog(size: Base["size"], count: number, below: Below): Base {
  const inner = size.cols - 8;
  const row = (text: string): string => `   │ ${text.padEnd(inner)} │`;
  const said = Array.from({ length: Math.min(count, size.rows - 8) }, () => row(line(inner - 1, below)));
  const edge = "─".repeat(inner + 2);
  const rows = ["", `   ┌${edge}┐`, ...said, row(""), row("          <Yes>          <No>"), `   └${edge}┘`];
  return { adapter: "generic", size, rows, cursorUp: 1, column: 16, cursorShown: true, isMain: false };
}

const KINDS = [agentDialog, agentDialog, agentDialog, lineQuestion, boxDialog] as const;

/** Short ones, those that fill the screen, and those that are longer than it. */
export function makeBase(below: Below, size: Base["size"] = SIZES[below(SIZES.length)] ?? SIZES[0]): Base {
  const kind = KINDS[below(KINDS.length)] ?? agentDialog;
  const counts = [1 + below(4), size.rows - 14, size.rows + 10 + below(30)];
  return kind(size, Math.max(1, counts[below(counts.length)] ?? 1), below);
}

export function drawBytes(
  { rows, cursorUp, column, cursorShown, isMain }: Base,
  edited: readonly string[] = rows,
): string {
  const last = edited.length - 1;
  const up = cursorUp === null ? "" : `\u001b[${cursorUp}A\r\u001b[${column}C`;
  const clear = isMain ? "\u001b[2J\u001b[3J\u001b[H" : "\u001b[?1049h\u001b[2J\u001b[H";
  const hidden = cursorShown ? "\u001b[?25h" : "\u001b[?25l";
  return `${clear}${hidden}${edited.slice(0, last + 1).join("\r\n")}${up}`;
}

/** Rows that the card says something of: each may be edited in any column. */
export function editableRows({ rows }: Base, asked: Candidate): number[] {
  const fields = asked.choices.filter(takesAnyText).map(({ label }) => label);
  const shown = squeezed(
    [asked.question, asked.content.text, ...asked.choices.map(({ label }) => label)].join(""),
  );
  return rows.flatMap((row, index) => {
    const text = squeezed(bare(row));
    const isShown = text !== "" && shown.includes(text.replace(/^\d\./u, ""));
    return isShown && !fields.some((label) => row.includes(label)) ? [index] : [];
  });
}

function bare(row: string): string {
  return row.replace(/^[\s│❯]*|[\s│]*$/gu, "");
}

function squeezed(text: string): string {
  return text.replace(/\s/gu, "");
}

const LETTERS = "aeiostxyz/.-_;|&>$~0189│┃✔Аа";

/** One edit of one row; a row in a frame keeps its width. Equal to the row where the edit cannot be seen. */
export function editRow(row: string, below: Below): string {
  const [lead = ""] = /^[\s│❯]*(?:\d\. )?/u.exec(row) ?? [];
  const [tail = ""] = /[\s│]*$/u.exec(row) ?? [];
  const text = row.slice(lead.length, row.length - tail.length);
  const edited = editText(text, below);
  const grown = edited.length - text.length;
  const isFramed = tail.includes("│");
  const room = isFramed ? (grown > 0 ? tail.slice(grown) : " ".repeat(-grown) + tail) : tail;
  return isFramed && !room.startsWith(" ") ? row : lead + edited + room;
}

function editText(text: string, below: Below): string {
  const at = below(text.length);
  const letter = [...LETTERS][below([...LETTERS].length)] ?? "x";
  const blanks = [...text.matchAll(/ /gu)].map(({ index }) => index);
  const blank = blanks[below(Math.max(1, blanks.length))];
  switch (below(8)) {
    case 0:
      return at === 0 ? `${text}${letter}` : `${text.slice(0, at)} ${text.slice(at)}`;
    case 1:
      return blank === undefined ? `${text} x` : text.slice(0, blank) + text.slice(blank + 1);
    case 2:
      return blank === undefined ? `${text}│` : `${text.slice(0, blank)}│${text.slice(blank + 1)}`;
    case 3:
      return text.slice(0, at) + letter + text.slice(at + 1);
    case 4:
      return text.slice(0, at) + text.slice(at + 1);
    case 5:
      return text.slice(0, at) + letter + text.slice(at);
    case 6:
      return `${text} ${letter}`;
    default:
      return blank === undefined ? `${text}${letter}` : `${text.slice(0, blank)} ${text.slice(blank)}`;
  }
}

export function isVisiblyEqual(a: string, b: string): boolean {
  return a.trimEnd() === b.trimEnd();
}
