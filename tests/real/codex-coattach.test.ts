/** The real codex in its terminal, joined beside it: what people see, what an answer does, and what is left of it. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { exec, patch } from "../support/corpus/codex/moves.js";
import type { Scenario, ToolCall } from "../support/fake-model/script.js";
import { eventually } from "../support/hub-home.js";
import { SIZE_NAMES, SIZES, type SizeName } from "../support/matrix/matrix.js";
import { codex } from "../support/real-cli/codex.js";
import { DIALOG, JoinedCodex } from "../support/real-cli/joined-codex.js";
import type { Card } from "../support/rig/phone.js";
import { isAlive } from "../support/rig/processes.js";
import { notLinux, skipped } from "../support/skipped.js";

vi.setConfig({ testTimeout: 240_000 });

const CONFIRMED = /^✅ .*, by Ara, (?:confirmed|taken by codex)/;
const AT_THE_TERMINAL = /^⌨️ .* at the terminal$/;
const BIG = 5_000_000;
const DATABASE = {
  id: "db",
  header: "Database",
  question: "Which database should we use?",
  options: [
    { label: "PostgreSQL", description: "a server" },
    { label: "SQLite", description: "a file" },
  ],
};

/** More than either size has rows for. */
const SCRIPT = Array.from({ length: 40 }, (_, nth) => `echo "line ${nth}" >> script.txt`);

const turn =
  (...tools: readonly ToolCall[]): Scenario =>
  () => [{ text: "I will.", tools }, { text: "That is done." }];
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  one: turn(exec("touch one.txt")),
  again: turn(exec("touch one.txt")),
  two: turn(exec("touch a1.txt"), exec("touch a2.txt")),
  other: turn(exec("touch other.txt")),
  third: turn(exec("touch third.txt")),
  script: turn(exec(`${SCRIPT.join("\n")}\n`)),
  file: turn(patch("*** Add File: new.txt", "+hello", "+world")),
  big: turn(patch("*** Add File: big.txt", `+${"b".repeat(BIG)}`)),
  question: turn({ name: "request_user_input", input: { questions: [DATABASE] } }),
};

const installed = await codex.install();

/** The yes to a card that leaves characters to its file. */
async function acceptUnshown(card: Card): Promise<void> {
  await card.pressAnswer("Yes");
  await eventually(() => card.buttons.some((button) => button.includes("not shown")));
  await card.pressAnswer("not shown");
}

async function isConfirmed(card: Card): Promise<void> {
  expect(await card.settled()).toMatch(CONFIRMED);
}

/** What asked is gone, and nothing was done; the next one asks, and is answered. */
async function isOverWith(tool: JoinedCodex, card: Card): Promise<void> {
  expect(await card.settled()).not.toMatch(/^✅/);
  await tool.startAgain();
  await tool.warmUp();
  const again = await tool.asks("other");
  await again.pressAnswer("stop the turn");
  await isConfirmed(again);
  expect([tool.has("one.txt"), tool.has("other.txt")]).toEqual([false, false]);
}

function withCodex(size: SizeName, test: (codex: JoinedCodex) => Promise<void>): Promise<void> {
  const modules = installed.ok ? installed.modules : "";
  return JoinedCodex.with({ modules, size: SIZES[size], scenarios: SCENARIOS }, async (joined) => {
    try {
      await test(joined);
    } catch (problem) {
      // Whoever reads of a failure has to see what the person saw.
      const cards = joined.run.cards.map(({ text }) => text);
      const seen = [joined.terminal.screen, ...cards].join("\n----\n");
      throw new Error(`${problem instanceof Error ? problem.message : ""}\n${seen}`, { cause: problem });
    }
  });
}

describe.skipIf(skipped(installed.ok ? notLinux : installed.reason))(
  "the real codex, joined beside its terminal",
  () => {
    describe.each(SIZE_NAMES)("%s", (size) => {
      it("asks once, even if its very first turn asks", () =>
        withCodex(size, async (tool) => {
          const card = await tool.asks("one");
          expect(card.text).toContain("touch one.txt");
          await tool.terminal.waitFor(DIALOG);
          await card.pressAnswer("Yes");
          await isConfirmed(card);
          await tool.composer();
          expect(tool.has("one.txt")).toBe(true);
          expect(await tool.states()).toEqual(["answered"]);
        }));

      it("is allowed for good, allowed and refused from afar, and its turn stopped: its interface goes on", () =>
        withCodex(size, async (tool) => {
          await tool.warmUp();
          const first = await tool.asks("one");
          expect(await first.pressAnswer("don't ask again")).toContain("needs the number");
          first.reply(await tool.run.number(first));
          await isConfirmed(first);
          await tool.composer();
          expect(tool.has("one.txt")).toBe(true);

          const edits = await tool.asks("file");
          expect(edits.content).toContain("new.txt");
          expect(edits.content).toContain("world");
          expect(edits.isMarkedCut).toBe(false);
          edits.reply("C: put it elsewhere");
          await isConfirmed(edits);
          await eventually(() => tool.heard("put it elsewhere"));
          await tool.composer();
          expect(tool.has("new.txt")).toBe(false);

          // Allowed for good: it is not asked again.
          await tool.does("again");
          await tool.composer();
          expect(tool.run.cards).toHaveLength(2);

          const again = await tool.asks("file");
          await again.pressAnswer("Yes");
          await isConfirmed(again);
          await tool.composer();
          expect(tool.read("new.txt")).toBe("hello\nworld\n");

          // Only the protocol has this choice.
          const stopped = await tool.asks("other");
          await stopped.pressAnswer("stop the turn");
          await isConfirmed(stopped);
          await tool.terminal.waitFor(/Conversation interrupted/);
          expect(tool.has("other.txt")).toBe(false);
          expect(await tool.states()).toEqual(Array(4).fill("answered"));
        }));

      it("asks once, whole, about a script of which its dialog shows only a part", () =>
        withCodex(size, async (tool) => {
          await tool.warmUp();
          const card = await tool.asks("script");
          for (const line of SCRIPT) expect(card.content).toContain(line);
          expect(card.isMarkedCut).toBe(false);
          await tool.terminal.waitFor(size === "45x20" ? /\d lines\]/ : DIALOG);
          await tool.terminal.settled();
          await acceptUnshown(card);
          await isConfirmed(card);
          await tool.composer();
          expect(tool.read("script.txt").split("\n")).toHaveLength(SCRIPT.length + 1);
          expect(tool.run.cards).toHaveLength(1);
        }));

      it("asks two things one after the other: a tap on the first is none on the second, which the keyboard wins", () =>
        withCodex(size, async (tool) => {
          await tool.warmUp();
          const first = await tool.asks("two");
          const tokens = first.tokens;
          await tool.terminal.waitFor(/\$ touch a1\.txt[\s\S]*Press enter/);
          await first.pressAnswer("Yes");
          const second = await tool.card();
          expect(second.text).toContain("a2.txt");
          await isConfirmed(first);
          // A thumb that taps twice.
          await first.pressOld(tokens[0] ?? "");
          await tool.terminal.waitFor(/\$ touch a2\.txt[\s\S]*Press enter/);
          await tool.terminal.settled();
          expect(tool.has("a1.txt")).toBe(true);
          expect(tool.has("a2.txt")).toBe(false);
          tool.terminal.press("y");
          expect(await second.settled()).toMatch(AT_THE_TERMINAL);
          await tool.composer();
          expect(tool.has("a2.txt")).toBe(true);
          expect((await tool.states()).sort()).toEqual(["answered", "withdrawn"]);
        }));

      it("is answered from both sides in one moment: once, and nobody is told what is not true", () =>
        withCodex(size, async (tool) => {
          await tool.warmUp();
          for (const [name, keyAfterMs] of Object.entries({ one: 0, other: 15, third: 40 })) {
            const card = await tool.asks(name);
            await tool.terminal.waitFor(DIALOG);
            await tool.terminal.settled();
            const tapped = card.pressAnswer("No");
            await setTimeout(keyAfterMs);
            tool.terminal.press("y");
            await tapped;
            const outcome = await card.settled();
            await eventually(() => tool.model.toolResults(name).length > 0);
            await tool.terminal.waitUntil((screen) => !/Working \(/.test(screen), "the turn's end");
            // The No was put in, or it is said that it was not: whichever was first.
            expect(CONFIRMED.test(outcome), outcome).toBe(!tool.has(`${name}.txt`));
            await tool.terminal.settled();
            // One that came too late is what is typed next.
            if (/^› y$/m.test(tool.terminal.screen)) tool.terminal.press("\u007f");
            await tool.composer();
          }
          expect(tool.run.cards).toHaveLength(3);
        }));

      it("asks a question, also while the hub is killed", () =>
        withCodex(size, async (tool) => {
          await tool.warmUp();
          await tool.terminal.submit("/plan");
          await tool.terminal.waitFor(/Plan\s+mode/);
          const question = await tool.asks("question");
          expect(question.text).toContain("Which database should we use?");
          await question.pressAnswer("SQLite");
          await isConfirmed(question);
          await eventually(() => tool.heard("SQLite"));
          await tool.composer();

          const waiting = await tool.asks("one");
          await tool.rig.killHub();
          await eventually(async () => (await tool.rig.home.hubPid()) !== null);
          await waiting.pressAnswer("No");
          await isConfirmed(waiting);
          await tool.composer();
          expect(tool.has("one.txt")).toBe(false);
        }));

      it("goes away with its run, and its server stays as it was", () =>
        withCodex(size, async (tool) => {
          await tool.warmUp();
          const card = await tool.asks("one");
          process.kill(tool.worker, "SIGKILL");
          await isOverWith(tool, card);
        }));

      it("is killed while it asks: its card says so, and the next one is joined as ever", () =>
        withCodex(size, async (tool) => {
          await tool.warmUp();
          const card = await tool.asks("one");
          process.kill(tool.tool, "SIGKILL");
          expect(await tool.run.exited).not.toBe(0);
          await isOverWith(tool, card);
        }));

      it("asks about five megabytes in one line, and says how much of it the card has not", () =>
        withCodex(size, async (tool) => {
          await tool.warmUp();
          const card = await tool.asks("big");
          expect(card.text).toMatch(/The content is truncated \(missing: \d{7} more characters\)/);
          expect(card.content).toContain("b".repeat(BIG / 10));
          await acceptUnshown(card);
          await isConfirmed(card);
          await tool.composer();
          expect(tool.read("big.txt")).toBe(`${"b".repeat(BIG)}\n`);
        }));

      it("is never mistaken for another one of its server, in its folder or elsewhere", () =>
        withCodex(size, async (tool) => {
          mkdirSync(join(tool.command.cwd, "sub"));
          const [here, there] = [await tool.bystander(), await tool.bystander("sub")];
          await tool.warmUp();
          for (const bystander of [here, there]) {
            await tool.does("other", bystander);
            await bystander.waitFor(DIALOG);
          }
          const card = await tool.asks("two");
          expect(card.text).toContain("a1.txt");
          await card.pressAnswer("Yes");
          const second = await tool.card();
          expect(second.text).toContain("a2.txt");
          await second.pressAnswer("stop the turn");
          await isConfirmed(second);
          expect(tool.run.cards).toHaveLength(2);
          // Theirs stand, and outlive our run.
          await tool.run.close();
          for (const bystander of [here, there]) {
            expect(isAlive(bystander.pid)).toBe(true);
            expect(bystander.screen).toMatch(DIALOG);
          }
          here.press("y");
          await eventually(() => tool.has("other.txt"));
          expect(tool.has("sub/other.txt")).toBe(false);
        }));
    });
  },
);
