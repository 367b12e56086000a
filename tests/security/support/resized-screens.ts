/** Permissions of six agents as each draws them at any width, and pairs of commands that differ by a row end or a blank. */
import type { Below } from "./edited-screens.js";

interface Look {
  readonly adapter: string;
  readonly margin: number;
  /** So many rows above the last one, at its left edge; null: the cursor stays behind the last character. */
  readonly cursorUp: number | null;
  readonly draw: (command: readonly string[], cols: number) => readonly string[];
}

const PLAIN = "\u001b[m";
const inBox = (rows: readonly string[], cols: number): string[] => [
  `╭${"─".repeat(cols - 2)}╮`,
  ...rows.map((row) => `│${row}${" ".repeat(Math.max(0, cols - 2 - measure(row)))}│`),
  `╰${"─".repeat(cols - 2)}╯`,
];
const measure = (row: string): number => row.replace(/\u001b\[[\d;]*m/gu, "").length;
const onBar = (row: string, cols: number): string =>
  `  ┃\u001b[48;5;234m${row}${" ".repeat(Math.max(0, cols - 5 - measure(row)))}${PLAIN}`;

export const LOOKS: readonly Look[] = [
  {
    adapter: "claude",
    margin: 4,
    cursorUp: 4,
    draw: (command, cols) => [
      "─".repeat(cols),
      " Bash command",
      " Do it",
      "╌".repeat(cols),
      ...command.map((row) => ` ${row}`),
      "╌".repeat(cols),
      " Do you want to proceed?",
      " ❯ 1. Yes",
      "   2. Yes, and don't ask again for: rm *",
      "   3. No",
      "",
      " Esc to cancel · Tab to amend",
    ],
  },
  {
    adapter: "codex",
    margin: 6,
    cursorUp: null,
    draw: (command) => [
      "  Would you like to run the following command?",
      "",
      "  Environment: local",
      "",
      ...command.map((row, at) => (at === 0 ? `  $ ${row}` : `  ${row}`)),
      "",
      "",
      `\u001b[1;7m› 1. Yes, proceed (y)${PLAIN}`,
      "  2. Yes, and don't ask again (p)",
      "  3. No, and tell Codex what to do (esc)",
      "",
      "  Press enter to confirm or esc to cancel",
    ],
  },
  {
    adapter: "gemini",
    margin: 8,
    cursorUp: null,
    draw: (command, cols) =>
      inBox(
        [
          " ? Shell  Do it",
          ...inBox(
            command.map((row) => ` ${row}`),
            cols - 4,
          ).map((row) => ` ${row}`),
          " Allow execution of [Shell]?",
          "",
          ` \u001b[38;5;194;48;5;28m● 1. Allow once${PLAIN}`,
          "   2. Allow for this session",
          "   3. No, suggest changes (esc)",
        ],
        cols,
      ),
  },
  {
    adapter: "copilot",
    margin: 8,
    cursorUp: null,
    draw: (command, cols) =>
      inBox(
        [
          " Do it",
          ` ${"─".repeat(cols - 4)}`,
          ...inBox(
            command.map((row) => ` ${row}`),
            cols - 4,
          ).map((row) => ` ${row}`),
          "",
          " Do you want to run this command?",
          "",
          ` \u001b[97;44m❯ 1. Yes${PLAIN}`,
          "   2. Yes, and don't ask again for `rm`",
          "   3. No, and tell Copilot what to do (Esc)",
          "",
          " ↑/↓ to navigate · enter to select · esc to cancel",
        ],
        cols,
      ),
  },
  {
    adapter: "opencode",
    margin: 11,
    cursorUp: null,
    draw: (command, cols) =>
      [
        "",
        "  △ Permission required",
        "    # Shell command",
        "",
        ...command.map((row, at) => (at === 0 ? `  $ ${row}` : `  ${row}`)),
        "",
        "",
        "   \u001b[38;5;232;48;5;215mAllow once\u001b[38;5;8;48;5;234m   Allow always   Reject  ⇆ select  enter confirm",
        "",
      ].map((row) => onBar(row, cols)),
  },
  {
    adapter: "qwen",
    margin: 10,
    cursorUp: null,
    draw: (command) => [
      "  ? Shell Do it ←",
      "",
      ...command.map((row) => `     ${row}`),
      "",
      "   Allow execution of: 'rm'?",
      "",
      `   \u001b[38;5;151m› 1. Yes, allow once${PLAIN}`,
      "     2. Always allow run 'rm *' commands in this project",
      "     3. Always allow run 'rm *' commands for this user",
      "     4. No, suggest changes (esc)",
      "",
      "",
      "  ⠏ Waiting for user confirmation...",
    ],
  },
];

/** The rows of a command at a width: a word that does not fit goes to the next row, and one that is longer than a row is cut. */
export function wrapCommand(command: string, { margin }: Look, cols: number): readonly string[] {
  return command.split("\n").flatMap((line) => wrapLine(line, cols - margin));
}

function wrapLine(line: string, width: number): string[] {
  const rows: string[] = [];
  let row = "";
  for (const piece of line.match(/\s+|\S+/gu) ?? [""]) {
    let rest = piece;
    if (row.length + rest.length > width && row.trim() !== "") {
      rows.push(row.trimEnd());
      [row, rest] = ["", rest.trimStart()];
    }
    for (; row.length + rest.length > width; row = "") {
      rows.push(row + rest.slice(0, width - row.length));
      rest = rest.slice(width - row.length);
    }
    row += rest;
  }
  return [...rows, row.trimEnd()];
}

export function drawPermission(look: Look, command: readonly string[], cols: number): string {
  const rows = look.draw(command, cols);
  const cursor = look.cursorUp === null ? "" : `\u001b[${look.cursorUp}A\r\u001b[1C`;
  return `\u001b[?1049h\u001b[?25l\u001b[2J\u001b[H${rows.join("\r\n")}${cursor}`;
}

const WORDS =
  "rm -rf /srv/app /srv/app/old echo sudo reboot now git log --grep main && npm test | sh ; x=1 a 'two words' --force".split(
    " ",
  );
const LONG_WORD = `https://docs.example.invalid/${"a/long/path/".repeat(20)}page`;

/** Of one row at any width, of several lines, or so long that it is wrapped. */
export function makeCommand(below: Below): string {
  const lengths = [3, 8, 40];
  const lines = Array.from({ length: 1 + below(3) }, () => {
    const count = 1 + below(lengths[below(lengths.length)] ?? 3);
    const words = Array.from({ length: count }, () => WORDS[below(WORDS.length)] ?? "x");
    if (below(20) === 0) words.push(LONG_WORD);
    return " ".repeat(2 * below(3)) + words.join(" ");
  });
  return lines.join("\n").trimStart();
}

/** A row end or a blank is put in, taken out, moved by a word, or takes the other's place. */
export function editCommand(command: string, below: Below): string {
  const gaps = [...command.matchAll(/\s/gu)].map(({ index }) => index);
  const gap = gaps[below(Math.max(1, gaps.length))];
  const at = 1 + below(Math.max(1, command.length - 1));
  const put = below(2) === 0 ? "\n" : " ";
  const kind = below(4);
  if (gap === undefined || kind === 0) return command.slice(0, at) + put + command.slice(at);
  const [left, sign, right] = [command.slice(0, gap), command[gap] ?? "", command.slice(gap + 1)];
  if (kind === 1) return left + right;
  if (kind === 2) return left + (sign === "\n" ? " " : "\n") + right;
  // The two gaps around a word change places.
  const next = right.search(/\s/u);
  return next < 0
    ? `${left}${put}${sign}${right}`
    : left + (right[next] ?? "") + right.slice(0, next) + sign + right.slice(next + 1);
}

/** A row end in place of a blank where the tool wraps the command at this width: both are drawn alike there. Null where it wraps nothing. */
export function breakWhereWrapped(command: string, look: Look, cols: number, below: Below): string | null {
  const drawn = wrapCommand(command, look, cols).join("\n");
  const broken = [...command.matchAll(/ /gu)]
    .map(({ index }) => `${command.slice(0, index)}\n${command.slice(index + 1)}`)
    .filter((other) => wrapCommand(other, look, cols).join("\n") === drawn);
  return broken[below(Math.max(1, broken.length))] ?? null;
}
