/** The real claude told to call us for its run: sessions of it, and of each of its dialogs how phone and keyboard answer it. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { KEYS, type TerminalSize } from "../real-cli/terminal.js";
import { type ClaudeDialog, DIALOGS, listKeys } from "./claude-dialogs.js";
import { EFFECTS } from "./claude-effects.js";
import { ClaudeSession, type ClaudeSessionOptions } from "./claude-session.js";
import type { Card } from "./phone.js";
import { type Rig, withRig } from "./rig.js";
import { writeOwnAdapter } from "../own-adapter.js";

export interface HookedDialog extends ClaudeDialog {
  /** Approves it on the card of its hook call. */
  readonly tap: (card: Card) => Promise<unknown>;
  /** Approves it on the cards of its screen, one for each of its pages. */
  readonly screenTaps: readonly ((card: Card) => Promise<unknown>)[];
  readonly approved: (session: ClaudeSession) => Promise<void>;
  /** Approves it at the keyboard; one write each. */
  readonly keys: readonly string[];
  /** One key that answers it in another way, and what that does. */
  readonly other?: { readonly key: string; readonly effect: (session: ClaudeSession) => Promise<void> };
}

const press =
  (row: number) =>
  (card: Card): Promise<unknown> =>
    card.press(row);

const says =
  (...texts: readonly RegExp[]) =>
  async (session: ClaudeSession): Promise<void> => {
    await session.finished();
    for (const text of texts) expect(session.results.at(-1)?.text).toMatch(text);
  };

/** The hook's row, the dialog's row that does the same, and a row of the dialog that does something else. */
function listed(name: string, hookRow: number, drawnRow: number, otherRow: number): HookedDialog {
  const dialog = DIALOGS.find((each) => each.name === name);
  const [approved, effect] = [drawnRow, otherRow].map((row) => EFFECTS[name]?.[row - 1]);
  if (!dialog || !approved || !effect) throw new Error(`no dialog ${name}`);
  const keys = listKeys(dialog, drawnRow);
  const other = { key: String(otherRow), effect };
  return { ...dialog, tap: press(hookRow), screenTaps: [press(drawnRow)], approved, keys, other };
}

const answer =
  (value: string) =>
  (card: Card): Promise<unknown> => {
    card.reply(value);
    return Promise.resolve();
  };

export const HOOKED: readonly HookedDialog[] = [
  listed("bash", 1, 1, 4),
  listed("bash-long", 1, 1, 3),
  listed("write", 1, 1, 3),
  listed("edit", 1, 1, 3),
  listed("webfetch", 1, 1, 3),
  listed("mcp", 1, 1, 3),
  listed("ask", 2, 2, 1),
  listed("plan", 1, 2, 1),
  {
    name: "ask-multi",
    scenario: "ask-multi",
    drawn: /Which features do you want to enable\?\s+❯ 1\. \[ \] Auth[\s\S]+Enter to select/,
    question: "Which features do you want to enable?",
    content: [],
    rows: ["Auth", "Billing", "Search"],
    tap: answer("1,3"),
    screenTaps: [answer("1,3")],
    approved: says(/Auth, Search/),
    keys: ["1", "3", KEYS.tab, KEYS.enter],
  },
  {
    name: "ask-two",
    scenario: "ask-two",
    drawn: /Which database should we use\?\s+❯ 1\. PostgreSQL[\s\S]+Enter to select/,
    question: "Which database should we use?",
    // One question at a time.
    content: ["Question 1 of 2: Which database should we use?", "SQLite: Embedded, zero config"],
    rows: [],
    tap: answer("2\n1"),
    // Each question, and the page that shows all answers.
    screenTaps: [press(2), press(1), press(1)],
    approved: says(/SQLite/, /EU/),
    keys: ["2", "1", KEYS.enter],
  },
];

export interface HookedOptions {
  readonly size?: TerminalSize;
  readonly claude?: ClaudeSessionOptions["claude"];
  readonly flags?: readonly string[];
}

export type OpenHooked = (dialog: ClaudeDialog, options?: HookedOptions) => Promise<ClaudeSession>;

/** A rig of its own, and sessions of claude in it that end with it. */
export async function withHookedClaude(
  modules: string,
  work: (open: OpenHooked, rig: Rig) => Promise<void>,
): Promise<void> {
  await withRig(async (rig) => {
    const sessions: ClaudeSession[] = [];
    const open: OpenHooked = async (dialog, { claude, ...options } = {}) => {
      const label = `${dialog.name}-${sessions.length + 1}`;
      const session = await ClaudeSession.start(rig, {
        modules,
        label,
        claude: { ...dialog.options, ...claude },
        size: { cols: 80, rows: 24 },
        ...options,
      });
      sessions.push(session);
      await session.bringUp(dialog);
      return session;
    };
    try {
      await work(open, rig);
    } finally {
      await Promise.all(sessions.map((session) => session.close()));
    }
  });
}

/** From now on claude is told to wait only so long for a hook: the user's own copy of the adapter says so. */
export function shortenHooks(rig: Rig, seconds: number): void {
  const shipped = readFileSync("adapters/claude.yaml", "utf8");
  const shortened = shipped.replace(/timeout_seconds: \d+/, `timeout_seconds: ${seconds}`);
  writeOwnAdapter(rig.home.paths, "claude", shortened);
}
