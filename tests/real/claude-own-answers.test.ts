/**
 * The real claude with its hooks: the answers of a card are not the rows of the dialog beside it. Each of them does what its words
 * say, with that scope and no more, and no number of the dialog is taken for one of them.
 */
import { describe, expect, it } from "vitest";
import { installClaude } from "../support/real-cli/claude.js";
import type { TerminalSize } from "../support/real-cli/terminal.js";
import { type ClaudeDialog, DIALOGS } from "../support/rig/claude-dialogs.js";
import { EFFECTS } from "../support/rig/claude-effects.js";
import { type OpenHooked, withHookedClaude } from "../support/rig/claude-hooked.js";
import type { ClaudeSession } from "../support/rig/claude-session.js";
import type { Card } from "../support/rig/phone.js";
import type { Rig } from "../support/rig/rig.js";
import { waitFor } from "../support/wait-for.js";

const installed = await installClaude();
const modules = installed.ok ? installed.modules : "";
const SIZES: readonly TerminalSize[] = [
  { cols: 80, rows: 24 },
  { cols: 45, rows: 20 },
];
const NAMES = ["bash", "write", "edit", "webfetch", "mcp"];
const CASES = SIZES.flatMap((size) => NAMES.map((name) => ({ name, size, at: `${size.cols}x${size.rows}` })));
/** A session for each answer, on a busy machine. */
const CASE_MS = 600_000;
interface Case {
  readonly name: string;
  readonly size: TerminalSize;
}

const SETTINGS = ".claude/settings.local.json";
const CONFIRMED = /^✅ .*, by Ara, (?:confirmed|taken by claude)$/;

const drawnAnywhere = (name: string): ClaudeDialog => ({
  ...DIALOGS.find((dialog) => dialog.name === name)!,
  drawn: /Do\s+you\s+want\s+to/,
});

/** What the words after the letter promise, seen in files and on the screen. */
async function expectKept(session: ClaudeSession, name: string, words: string): Promise<void> {
  const [yes, no] = [EFFECTS[name]?.[0], EFFECTS[name]?.at(-1)];
  await (/^No\b/.test(words) ? no : yes)?.(session);
  const [, rule] = /don't ask again for (.+) in this project$/.exec(words) ?? [];
  if (rule === undefined) expect(session.read(SETTINGS)).not.toMatch(/"allow"/);
  else await waitFor(() => expect(session.read(SETTINGS)).toContain(rule));
  const screen = session.terminal.screen;
  expect(/accept\s+edits\s+on/.test(screen), screen).toBe(/accept edits without asking/.test(words));
  expect(/auto\s+mode\s+on/.test(screen), screen).toBe(/switch to auto mode/.test(words));
}

interface Opened {
  readonly session: ClaudeSession;
  readonly card: Card;
  readonly labels: readonly string[];
}

const TRIES = 4;

/**
 * A session whose card came by the hook. Whoever comes first gives a question its answers: on a busy machine that is the dialog now and
 * then, and then the card has its rows, with its numbers.
 */
async function asked(open: OpenHooked, rig: Rig, { name, size }: Case): Promise<Opened> {
  for (let left = TRIES; left > 0; left--) {
    const session = await open(drawnAnywhere(name), { size });
    const card = await session.run.card();
    const prompt = (await rig.prompts()).find(({ shortId }) => shortId === card.shortId);
    const labels = prompt?.choices.map(({ label }) => label) ?? [];
    if (card.text.includes("🔤")) return { session, card, labels };
    expect(card.buttons[0]).toMatch(/^1\. Yes/);
    expect(prompt?.choices.some(({ letter }) => letter !== undefined)).toBe(false);
  }
  throw new Error(`no card of ${name} came by its hook in ${TRIES} sessions`);
}

/** Letters on its buttons, and a number is refused: nothing happens. */
async function expectLettered(rig: Rig, { session, card, labels }: Opened): Promise<void> {
  expect(card.text).toMatch(/🔤 The terminal numbers its choices differently: tap here, or reply A–[B-F]\./);
  const answers = card.buttons.filter((button) => /^[A-Z]\. /.test(button));
  expect(answers).toHaveLength(labels.length);
  expect(answers[0]).toBe("A. Yes");
  expect(card.buttons.join("\n")).not.toMatch(/^[0-9]\. /m);
  const before = session.results.length;
  card.reply("2");
  await rig.phone.notice(/Answer with the letter of the choice/);
  expect(session.results).toHaveLength(before);
}

describe.skipIf(!installed.ok)("the answers of a card of the real claude with its hooks", () => {
  it.each(CASES)(
    "do what they say for $name at $at",
    ({ name, size }) =>
      withHookedClaude(modules, async (open, rig) => {
        const first = await asked(open, rig, { name, size });
        await expectLettered(rig, first);
        for (const [at, label] of first.labels.entries()) {
          const { session, card, labels } = at === 0 ? first : await asked(open, rig, { name, size });
          expect(labels).toEqual(first.labels);
          await session.run.pressRow(card, at + 1);
          expect(await card.settled()).toMatch(CONFIRMED);
          await expectKept(session, name, label);
        }
      }),
    CASE_MS,
  );
});
