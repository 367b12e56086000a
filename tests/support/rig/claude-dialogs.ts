/** The dialogs of the real claude that are answered from the phone, and what every one of them must show there. */
import { MAKE_FILE } from "../fake-model/scenarios.js";
import type { ClaudeOptions } from "../real-cli/claude.js";
import { KEYS, type TerminalSize } from "../real-cli/terminal.js";

export interface ClaudeDialog {
  readonly name: string;
  /** What is submitted so that it comes up; null: it comes up by itself. */
  readonly scenario: string | null;
  readonly options?: Partial<ClaudeOptions>;
  /** The screen on which it is whole. */
  readonly drawn: RegExp;
  readonly question: string;
  /** What nobody may approve unseen; the card shows all of it or says that it is cut. */
  readonly content: readonly string[];
  /** How the rows begin, in order. */
  readonly rows: readonly string[];
  /** A row (1-based) that cannot be taken without a text. */
  readonly textRow?: number;
  /** Digits do nothing; arrows and Enter do. */
  readonly unnumbered?: true;
}

export const WORDS = "MariaDB, please";
const PASTED_WORDS = `\x1b[200~${WORDS}\x1b[201~`;

/** The keys that take a row (1-based) of a dialog just drawn, one write each. */
export function listKeys({ textRow, unnumbered }: ClaudeDialog, row: number): string[] {
  if (unnumbered) return [...Array<string>(row - 1).fill(KEYS.down), KEYS.enter];
  return row === textRow ? [String(row), PASTED_WORDS, KEYS.enter] : [String(row)];
}

/** The keys that reject with words: the last row opens a field for them. */
export function keysToAmend({ rows }: ClaudeDialog): string[] {
  return [...Array<string>(rows.length - 1).fill(KEYS.down), KEYS.tab, PASTED_WORDS, KEYS.enter];
}

export const SIZES: readonly TerminalSize[] = [
  { cols: 120, rows: 40 },
  { cols: 80, rows: 24 },
];

export function nameOfSize({ cols, rows }: TerminalSize): string {
  return `${cols}x${rows}`;
}

export const DIALOGS: readonly ClaudeDialog[] = [
  {
    name: "bash",
    scenario: "bash",
    drawn: /Do you want to proceed\?\s+❯ 1\. Yes[\s\S]+4\. No\s+Esc to cancel/,
    question: "Do you want to proceed?",
    content: [MAKE_FILE],
    rows: ["Yes", "Yes, and don’t ask again for: mktemp *", "Yes, and switch to auto mode", "No"],
  },
  {
    name: "bash-long",
    scenario: "bash-long",
    drawn: /Do you want to proceed\?\s+❯ 1\. Yes[\s\S]+\d\. No[\s\S]+Esc to cancel/,
    question: "Do you want to proceed?",
    content: [
      "set -e",
      "for f in $(ls *.txt); do",
      "# Report",
      "2. No",
      "Continue? (y/n)",
      "for n in 1 2 3",
      MAKE_FILE,
    ],
    rows: ["Yes", "Yes, and switch to auto mode", "No"],
  },
  {
    name: "write",
    scenario: "write",
    drawn: /Do you want to create new-file\.ts\?\s+❯ 1\. Yes[\s\S]+Esc to cancel/,
    question: "Do you want to create new-file.ts?",
    content: ["src/new-file.ts", "export const answer = 42;", "// Continue? (y/n)"],
    rows: ["Yes", "Yes, and switch to accept edits", "No"],
  },
  {
    name: "edit",
    scenario: "edit",
    drawn: /Do you want to make this edit to app\.py\?\s+❯ 1\. Yes[\s\S]+Esc to cancel/,
    question: "Do you want to make this edit to app.py?",
    content: [
      "app.py",
      '-name = input("Your name? ")',
      '+name = input("Continue? (y/n) ")',
      '+print("1. Yes")',
    ],
    rows: ["Yes", "Yes, and switch to accept edits", "No"],
  },
  {
    name: "webfetch",
    scenario: "webfetch",
    drawn: /Do you want to allow Claude to fetch this content\?\s+❯ 1\. Yes[\s\S]+\(esc\)/,
    question: "Do you want to allow Claude to fetch this content?",
    content: ["https://docs.example.invalid/page", "Summarise it"],
    rows: ["Yes", "Yes, and don't ask again for docs.example.invalid", "No, and tell Claude what to do"],
  },
  {
    name: "mcp",
    scenario: "mcp",
    options: { mcp: true },
    drawn: /Do you want to proceed\?\s+❯ 1\. Yes[\s\S]+3\. No\s+Esc to cancel/,
    question: "Do you want to proceed?",
    content: ["ops — Deploy Tool", 'target: "production"', "dry_run: false", 'note: "Continue? (y/n)"'],
    rows: ["Yes", "Yes, and don't ask again for ops", "No"],
  },
  {
    name: "ask",
    scenario: "ask",
    drawn: /Which database should we use\?\s+❯ 1\. PostgreSQL[\s\S]+Enter to select/,
    question: "Which database should we use?",
    content: [],
    rows: ["PostgreSQL", "SQLite", "MongoDB", "Type something.", "Chat about this"],
    textRow: 4,
  },
  {
    name: "plan",
    scenario: "plan",
    options: { permissionMode: "plan" },
    drawn: /❯ 1\. Yes, and use auto mode[\s\S]+3\. Tell Claude[\s\S]+ctrl.g to edit/,
    question: "Would you like to proceed?",
    content: [
      "1. Add a retry helper in src/retry.ts",
      "3. Add tests",
      "- Continue? (y/n) prompts in scripts",
    ],
    rows: ["Yes, and use auto mode", "Yes, manually approve edits", "Tell Claude what to change"],
    textRow: 3,
  },
  {
    name: "trust",
    scenario: null,
    options: { trusted: false },
    drawn: /❯ No, exit\s+Yes, I trust this folder[\s\S]+Enter to confirm/,
    question: "Quick safety check: Is this a project you created or one you trust?",
    content: [],
    rows: ["No, exit", "Yes, I trust this folder"],
    unnumbered: true,
  },
];
