/** Each choice of each dialog of each real CLI, taken from the phone at two sizes: it has its effect, once, and the tool goes on. */
import { describe, expect, it } from "vitest";
import {
  type MatrixChoice,
  type MatrixDialog,
  type MatrixTool,
  SIZE_NAMES,
  type SizeName,
} from "../support/matrix/matrix.js";
import { TABLES } from "../support/matrix/tools.js";
import { ToolSession } from "../support/matrix/tool-session.js";
import type { Card } from "../support/rig/phone.js";
import { type Rig, withRig } from "../support/rig/rig.js";

/** Several such waits in a row, on a busy machine; a row that succeeds takes some ten seconds. */
const ROW_MS = 240_000;

const CONFIRMED = /^✅ .*, by Ara/;

const NOTHING_ASKED: MatrixDialog = { name: "none", model: [], question: /^/, choices: [] };

interface Case {
  readonly name: string;
  readonly dialog: MatrixDialog;
  readonly choice: MatrixChoice;
  readonly size: SizeName;
}

function listCases({ tool, dialogs, left = {} }: MatrixTool): Case[] {
  for (const [what, why] of Object.entries(left)) console.warn(`matrix: ${tool.name}: no ${what}: ${why}`);
  return SIZE_NAMES.flatMap((size) =>
    dialogs.flatMap((dialog) =>
      dialog.choices.flatMap((choice) => {
        const { label, words, except } = choice;
        const name = `${dialog.name}: ${label}${words === undefined ? "" : ", with words"}, ${size}`;
        const why = except?.[size];
        if (why === undefined) return [{ name, dialog, choice, size }];
        console.warn(`matrix: ${tool.name}: no ${name}: ${why}`);
        return [];
      }),
    ),
  );
}

/** The row (1-based) of the first choice that begins so. Buttons may be cut. */
async function findRow(rig: Rig, card: Card, label: string): Promise<number> {
  const prompt = (await rig.prompts()).find(({ shortId }) => shortId === card.shortId);
  const labels = prompt?.choices.map((choice) => choice.label) ?? [];
  const row = labels.findIndex((each) => each.startsWith(label));
  expect(row, `${label} among ${labels.join(" / ")}`).toBeGreaterThanOrEqual(0);
  return row + 1;
}

async function take(
  rig: Rig,
  card: Card,
  { label, words }: Pick<MatrixChoice, "label" | "words">,
): Promise<void> {
  const row = await findRow(rig, card, label);
  if (words === undefined) {
    const told = await card.press(row);
    if (told.includes("needs the number")) {
      const { stdout } = await rig.home.run("prompts", "--number", card.shortId);
      card.reply(stdout.trim());
    } else expect(told).toMatch(/: accepted for /);
  } else card.reply(`${row}: ${words}`);
  expect(await card.settled()).toMatch(CONFIRMED);
}

async function say(card: Card, words: string): Promise<void> {
  card.reply(words);
  expect(await card.settled()).toMatch(CONFIRMED);
}

/** Whoever reads of a failure has to see what the person saw. */
async function withAccount(session: ToolSession, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (problem) {
    throw new Error(`${problem instanceof Error ? problem.message : ""}\n${session.account}`, {
      cause: problem,
    });
  } finally {
    await session.close();
  }
}

async function play(rig: Rig, session: ToolSession, { dialog, choice }: Case): Promise<void> {
  await session.ask();
  const card = await session.card();
  // What the tool wraps is on the card as it is drawn.
  expect(card.text.replaceAll(/\s+/g, " ")).toMatch(dialog.question);
  await take(rig, card, choice);
  for (const [at, next] of (choice.then ?? []).entries()) {
    const card = await session.card(at + 2);
    if (typeof next === "string") await take(rig, card, { label: next });
    else await say(card, next.words);
  }
  await choice.effect(session);
  if (!choice.leaves) await session.talkOn();
  // Exactly what was asked, each answered once, nothing uncertain.
  const asked = 1 + (choice.then?.length ?? 0);
  expect(session.run.cards.slice(asked).map(({ text }) => text)).toEqual([]);
  expect((await rig.prompts()).map(({ state }) => state)).toEqual(Array(asked).fill("answered"));
}

for (const table of TABLES) {
  const installed = await table.tool.install();
  const modules = installed.ok ? installed.modules : "";
  const name = `the real ${table.tool.name}, answered from the phone`;
  describe.skipIf(!installed.ok)(name, { timeout: ROW_MS }, () => {
    it.each(listCases(table).map((each) => [each.name, each] as const))("%s", (_, each) =>
      withRig(async (rig) => {
        const session = await ToolSession.start(rig, { table, modules, ...each });
        await withAccount(session, () => play(rig, session, each));
      }),
    );

    it.each(SIZE_NAMES)("shows its screen and stops when it is told to in the chat, %s", (size) =>
      withRig(async (rig) => {
        const session = await ToolSession.start(rig, { table, modules, size, dialog: NOTHING_ASKED });
        await withAccount(session, async () => {
          await session.work();
          rig.phone.user.send("screen");
          const picture = await rig.phone.picture();
          expect(picture.subarray(1, 4).toString()).toBe("PNG");
          rig.phone.user.send("stop");
          await rig.phone.notice(/^⏹ \S+: interrupted\.$/);
          await session.empty();
          // The model's stream stays open: the tool is free again only because it stopped.
          await session.talkOn();
          expect(session.run.cards).toEqual([]);
        });
      }),
    );
  });
}
