/** The dialogs of the real claude that no hook call holds, in a run with hooks: keys answer or close them, and their cards tell the truth. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { installClaude } from "../support/real-cli/claude.js";
import { KEYS } from "../support/real-cli/terminal.js";
import { type ClaudeDialog, DIALOGS } from "../support/rig/claude-dialogs.js";
import { shortenHooks, withHookedClaude } from "../support/rig/claude-hooked.js";
import { type ClaudeSession, INPUT_BOX } from "../support/rig/claude-session.js";
import type { Card } from "../support/rig/phone.js";
import type { Run } from "../support/rig/run.js";

const installed = await installClaude();
const modules = installed.ok ? installed.modules : "";
const CONFIRMED = /^✅ .*, by Ara, (?:confirmed|taken by claude)$/;
const BY_KEYBOARD =
  /answered at the terminal|not applied|disappeared from the screen|connection over which the tool asked has ended|withdrawn by the tool/i;
const TINY = { cols: 45, rows: 20 };
/** Longer than the hooks of the test wait. */
const DROPPED_SECONDS = 2;

interface Unheld extends ClaudeDialog {
  readonly tap: (card: Card, run: Run) => Promise<unknown>;
  /** What the tap does. */
  readonly tapped: (session: ClaudeSession) => Promise<void>;
  /** Answers at the keyboard with one key, in another way than the tap. */
  readonly key: string;
  readonly keyed: (session: ClaudeSession) => Promise<void>;
}

async function heard(session: ClaudeSession, text: RegExp): Promise<void> {
  await eventually(() => session.results.length > 0);
  expect(session.results.at(-1)?.text).toMatch(text);
}

const found = DIALOGS.find(({ name }) => name === "trust");
if (!found) throw new Error("no dialog");

const FORM = "Which environment should be used? Continue? (y/n)";

const UNHELD: readonly Unheld[] = [
  {
    ...found,
    tap: (card, run) => run.pressRow(card, 2),
    tapped: ({ terminal }) => terminal.waitFor(INPUT_BOX),
    key: KEYS.enter,
    keyed: async ({ run }) => expect(await run.exited).not.toBe(0),
  },
  {
    name: "form of an MCP server",
    scenario: "elicit",
    options: { mcp: true, settings: { permissions: { allow: ["mcp__ops__configure"] } } },
    drawn: /requests your input[\s\S]+Accept\s+Decline/,
    question: FORM,
    content: [
      "1) Environment name: e.g. staging",
      "2) Region",
      "2. us",
      "3) Confirm",
      "mcp_server_name: ops",
    ],
    rows: [],
    tap: (card) => {
      card.reply("staging\n2\n1");
      return Promise.resolve();
    },
    tapped: (session) =>
      heard(session, /"action":"accept","content":\{"name":"staging","region":"us","confirm":true\}/),
    key: KEYS.esc,
    keyed: (session) => heard(session, /"action":"cancel"/),
  },
];

describe.skipIf(!installed.ok)("a dialog of the real claude that no hook call holds", () => {
  it.each(UNHELD)("$name: the phone answers", ({ tap, tapped, ...dialog }) =>
    withHookedClaude(modules, async (open, rig) => {
      const session = await open(dialog);
      const card = await session.run.card();
      expect(card.text).toContain(dialog.question);
      for (const part of dialog.content) expect(card.content).toContain(part);
      await tap(card, session.run);
      expect(await card.settled()).toMatch(CONFIRMED);
      await tapped(session);
      expect((await rig.prompts()).map(({ state }) => state)).toEqual(["answered"]);
    }),
  );

  it.each(UNHELD)("$name: on a tiny screen the phone has the whole content", ({ tap, tapped, ...dialog }) =>
    withHookedClaude(modules, async (open) => {
      const session = await open({ ...dialog, drawn: /❯/ }, { size: TINY });
      const card = await session.run.card();
      for (const part of dialog.content) expect(card.content).toContain(part);
      await tap(card, session.run);
      expect(await card.settled()).toMatch(CONFIRMED);
      await tapped(session);
    }),
  );

  it.each(UNHELD)("$name: the keyboard answers, and a late tap does nothing", ({ key, keyed, ...dialog }) =>
    withHookedClaude(modules, async (open) => {
      const session = await open(dialog);
      const card = await session.run.card();
      const [first = ""] = card.tokens;
      await session.terminal.settled();
      session.terminal.press(key);
      expect(await card.settled()).toMatch(/at the terminal|session ended/i);
      expect(await card.pressOld(first)).toMatch(/answered at the terminal|ended/i);
      await keyed(session);
    }),
  );

  it.each(UNHELD)("$name: phone and keyboard at once, and the card never says who did not win", (dialog) =>
    withHookedClaude(modules, async (open) => {
      const session = await open(dialog);
      const card = await session.run.card();
      await session.terminal.settled();
      const tapped = dialog.tap(card, session.run);
      session.terminal.press(dialog.key);
      // The number that a tap may need is gone from the title once the keyboard has answered.
      await tapped.catch(() => undefined);
      const told = await card.settled();
      if (CONFIRMED.test(told)) await dialog.tapped(session);
      else if (BY_KEYBOARD.test(told)) await dialog.keyed(session);
      else expect(told).toMatch(/sent to claude, but not confirmed|session has ended/);
    }),
  );

  it.each(UNHELD)("$name: hooks that are dropped change nothing", ({ tap, tapped, ...dialog }) =>
    withHookedClaude(modules, async (open, rig) => {
      shortenHooks(rig, DROPPED_SECONDS);
      const session = await open(dialog);
      const card = await session.run.card();
      await pause(2 * DROPPED_SECONDS * 1000);
      await tap(card, session.run);
      expect(await card.settled()).toMatch(CONFIRMED);
      await tapped(session);
      expect(session.run.cards).toHaveLength(1);
    }),
  );

  it.each(UNHELD)("$name: a hub killed with -9 changes nothing, and the same card answers", (dialog) =>
    withHookedClaude(modules, async (open, rig) => {
      const session = await open(dialog);
      const card = await session.run.card();
      const killed = await rig.killHub();
      expect(await rig.hubPid()).not.toBe(killed);
      expect(session.terminal.screen).toMatch(dialog.drawn);
      await dialog.tap(card, session.run);
      expect(await card.settled()).toMatch(CONFIRMED);
      await dialog.tapped(session);
      expect(session.run.cards).toHaveLength(1);
    }),
  );

  it.each(UNHELD)("$name: with a worker killed with -9 claude ends, and the card says so", (dialog) =>
    withHookedClaude(modules, async (open) => {
      const session = await open(dialog);
      const card = await session.run.card();
      process.kill(session.terminal.pid, "SIGKILL");
      expect(await card.settled()).toContain("process for this session has exited");
      await eventually(() => session.terminal.exited.then(() => true));
      expect(session.results).toEqual([]);
    }),
  );
});

describe.skipIf(!installed.ok)("a form that an MCP server asks for in the real claude", () => {
  const form = UNHELD.find(({ scenario }) => scenario === "elicit");
  if (!form) throw new Error("no dialog");

  it("is accepted without what may be left out", () =>
    withHookedClaude(modules, async (open) => {
      const session = await open(form);
      const card = await session.run.card();
      card.reply("staging\n(leave out)\n2");
      expect(await card.settled()).toMatch(CONFIRMED);
      await heard(session, /"action":"accept","content":\{"name":"staging","confirm":false\}/);
    }));

  it("is declined on the phone", () =>
    withHookedClaude(modules, async (open) => {
      const session = await open(form);
      const card = await session.run.card();
      await card.pressWords("Decline to answer");
      expect(await card.settled()).toMatch(CONFIRMED);
      await heard(session, /"action":"decline"/);
    }));

  it("is cancelled on the phone where nothing is known but its screen", () =>
    withHookedClaude(modules, async (open) => {
      const session = await open(form, { flags: ["--no-hooks"] });
      const card = await session.run.card();
      await card.pressWords("Esc: cancel");
      expect(await card.settled()).toMatch(
        /^✅ .*, by Ara, (?:confirmed|taken by claude)\. Now on the screen: /,
      );
      await heard(session, /"action":"cancel"/);
    }));

  it("is not touched by an answer that does not fit it, and takes the next one", () =>
    withHookedClaude(modules, async (open, rig) => {
      const session = await open(form);
      const card = await session.run.card();
      const before = rig.phone.notices.length;
      card.reply("staging\n2");
      await rig.telegram.waitFor(() => rig.phone.notices.length > before, "an objection", 20_000);
      expect(session.terminal.screen).toMatch(form.drawn);
      await form.tap(card, session.run);
      expect(await card.settled()).toMatch(CONFIRMED);
      await form.tapped(session);
    }));

  it("is filled in at the keyboard, and the card says so", () =>
    withHookedClaude(modules, async (open) => {
      const session = await open(form);
      const card = await session.run.card();
      await session.terminal.settled();
      for (const keys of ["staging", KEYS.down, KEYS.down, " ", KEYS.down]) {
        session.terminal.press(keys);
        await session.terminal.settled();
      }
      session.terminal.press(KEYS.enter);
      expect(await card.settled()).toMatch(
        /at the terminal|another prompt|changed|disappeared from the screen|connection over which the tool asked/,
      );
      await heard(session, /"action":"accept".*"name":"staging"/);
    }));
});
