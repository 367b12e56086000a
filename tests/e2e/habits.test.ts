/**
 * For every keyboard habit of a tool, a tap on the phone types exactly the keys of its row and nothing into what follows. The
 * plans alone are tested in tests/pty/worker/answer.
 */
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { Habit, type HabitAdapter } from "../support/rig/habits.js";
import type { Card } from "../support/rig/phone.js";
import { isAlive, runAround } from "../support/rig/processes.js";
import { withRig, type Rig } from "../support/rig/rig.js";
import { notLinux, skipped } from "../support/skipped.js";

const DOWN = "\u001b[B";
const UP = "\u001b[A";

const COMMAND_REFUSED = /Not sent: the tool may run this as a command/;

interface Case {
  readonly agent: string;
  readonly adapter: HabitAdapter;
  /** The row that is tapped. */
  readonly tap: number;
  readonly took: string;
  /** All that the tool got: not a byte for what follows. */
  readonly received: string;
}

const CASES: readonly Case[] = [
  // A digit acts at once, and Enter would answer the question queued behind it.
  { agent: "digit-acts", adapter: { taking: "digit" }, tap: 3, took: "3. No", received: "3" },
  // A digit only moves and needs Enter; another question is queued.
  {
    agent: "digit-moves",
    adapter: { taking: "arrows" },
    tap: 3,
    took: "3. No",
    received: `${DOWN}${DOWN}\r`,
  },
  // Digits are ignored, and Enter takes the default, which is dangerous.
  { agent: "digit-ignored", adapter: { taking: "arrows" }, tap: 3, took: "No", received: `${DOWN}${DOWN}\r` },
  // The highlight runs over the edge.
  {
    agent: "wraps",
    adapter: { taking: "arrows" },
    tap: 4,
    took: "West",
    received: `${DOWN}${DOWN}${DOWN}\r`,
  },
  // Each key shows its effect late, and a question follows.
  {
    agent: "slow",
    adapter: { taking: "arrows" },
    tap: 4,
    took: "No",
    received: `${DOWN}${DOWN}${DOWN}\r`,
  },
  // DECCKM: the other form of an arrow cancels.
  {
    agent: "application-arrows",
    adapter: { taking: "arrows" },
    tap: 3,
    took: "Blue",
    received: "\u001bOB\u001bOB\r",
  },
  // The dangerous row is the default, above the one that is wanted.
  {
    agent: "trust",
    adapter: {
      taking: "arrows",
      options: ["trusting"],
      choices: ['{ label: "^No", intent: reject_once, ends_tool: true }'],
    },
    tap: 1,
    took: "No, exit",
    received: `${UP}\r`,
  },
];

async function played(rig: Rig, { agent, adapter, tap }: Case): Promise<unknown> {
  const tool = Habit.start(rig, agent, adapter);
  const card = await tool.run.card();
  await card.press(tap);
  const outcome = await card.settled();
  return {
    agent,
    outcome: /^✅ .*, by Ara, confirmed$/.test(outcome),
    took: tool.took,
    received: tool.received,
  };
}

describe("a tap reaches exactly its row, and nothing reaches what follows", () => {
  // Few at a time: each is a terminal, a worker and a tool.
  it.each([
    ["digits, dangerous defaults and edges", CASES.slice(0, 4)],
    ["slow tools, DECCKM, and a row that ends the tool", CASES.slice(4)],
  ] as const)("%s", (_, cases) =>
    withRig(async (rig) => {
      const seen = await Promise.all(cases.map((one) => played(rig, one)));
      expect(seen).toEqual(
        cases.map(({ agent, took, received }) => ({ agent, outcome: true, took: [took], received })),
      );
    }),
  );

  it("words go into their field alone, where letters are keys that approve", () =>
    withRig(async (rig) => {
      const choices = ['{ label: "^No", intent: reject_once, takes_text: optional, text_keys: [tab] }'];
      const tool = Habit.start(rig, "live-letters", { taking: "arrows", choices });
      const card = await tool.run.card();
      card.reply("3: yes, any other jar");
      expect(await card.settled()).toBe("✅ No, by Ara, confirmed");
      expect(tool.entries.at(-1)).toEqual({ took: "No", reason: "yes, any other jar" });
      expect(tool.received).toBe(`${DOWN}${DOWN}\t\u001b[200~yes, any other jar\u001b[201~\r`);
    }));

  it("nothing is typed into what took the place of a question that was withdrawn", () =>
    withRig(async (rig) => {
      const tool = Habit.start(rig, "closes", { taking: "digit" });
      const card = await tool.run.card();
      const [yes = ""] = card.tokens;
      process.kill(tool.pid, "SIGUSR1");
      await tool.run.terminal.waitFor(/Tell me what to do/);
      await card.pressOld(yes);
      expect(await card.settled()).toMatch(/nothing was typed|AtlasBridge typed nothing/i);
      expect(tool.received).toBe("");
    }));

  /** Taps, and has something happen before the worker hears of it. */
  async function tapBefore(tool: Habit, card: Card, happen: () => Promise<unknown>): Promise<void> {
    const worker = runAround(tool.pid) ?? 0;
    process.kill(worker, "SIGSTOP");
    try {
      expect(await card.press(1)).toMatch(/: accepted for /);
      await happen();
    } finally {
      process.kill(worker, "SIGCONT");
    }
    expect(await card.settled()).toMatch(/nothing was typed|AtlasBridge typed nothing/i);
  }

  it.skipIf(skipped(notLinux))(
    "nothing is typed into another question that took its place after the tap, and that one is asked",
    () =>
      withRig(async (rig) => {
        const tool = Habit.start(rig, "changes", { taking: "digit" });
        await tapBefore(tool, await tool.run.card(), () => {
          process.kill(tool.pid, "SIGUSR1");
          return eventually(() => tool.entries.filter((entry) => "asks" in entry).length === 2);
        });
        const next = await tool.run.card(2);
        expect(next.text).toContain("Delete it all?");
        expect(tool.received).toBe("");
        await next.press(2);
        expect(await next.settled()).toBe("✅ No, by Ara, confirmed");
        expect(tool.received).toBe("2");
      }),
  );

  it.skipIf(skipped(notLinux))("nothing is typed into the shell behind a tool that ended after the tap", () =>
    withRig(async (rig) => {
      const tool = Habit.start(rig, "digit-acts", { taking: "digit", inShell: true });
      const card = await tool.run.card();
      await tapBefore(tool, card, () => {
        process.kill(tool.pid, "SIGKILL");
        return eventually(() => !isAlive(tool.pid));
      });
      // The dead tool left the terminal raw: only a line feed ends the shell's line.
      tool.run.terminal.press("echo by-hand-$((6 * 7))\n");
      await tool.run.terminal.waitFor(/by-hand-42/);
      expect(tool.run.text).not.toMatch(/1: command not found|1echo/);
      expect(tool.run.cards).toHaveLength(1);
    }),
  );

  it("words that the input box takes for a command stay out of it, and their sender is told why", () =>
    withRig(async (rig) => {
      const composer = 'composer: { row: "^›\u00a0", below: "^─{8}" }\ncomposer_commands: [exit]';
      const tool = Habit.start(rig, "commands", {
        taking: "arrows",
        choices: ['{ label: "^No", intent: reject_once, takes_text: optional, text_to: composer }'],
        more: `${composer}\nstates: { working: ["esc to interrupt"], idle: ["^›"] }`,
      });
      const card = await tool.run.card();
      const said = (words: RegExp): number => rig.phone.notices.filter((text) => words.test(text)).length;
      const readState = async (): Promise<string | undefined> => (await rig.prompts())[0]?.state;
      for (const [nth, words] of ["!rm -rf build", "/quit", "exit"].entries()) {
        card.reply(`2: ${words}`);
        await eventually(() => said(/: accepted for /) === nth + 1);
        await eventually(async () => (await readState()) === "pending");
        await card.shows(COMMAND_REFUSED);
      }
      expect(tool.received).toBe("");

      card.reply("2: use pnpm");
      expect(await card.settled()).toBe("✅ No, by Ara, confirmed");
      const heard = `${DOWN}\r\u001b[200~use pnpm\u001b[201~\r`;
      expect(tool.received).toBe(heard);

      // A hub gives a session its next task some seconds after the last.
      for (const [nth, words] of ["!ls", "Exit"].entries()) {
        rig.phone.user.send(`task commands ${words}`);
        await eventually(() => said(COMMAND_REFUSED) === nth + 1);
      }
      expect(tool.received).toBe(heard);
      rig.phone.user.send("task commands exit codes are wrong");
      await tool.hears("exit codes are wrong\u001b[201~\r");
      expect(tool.entries.filter((entry) => "ran" in entry || "command" in entry)).toEqual([]);
      expect(tool.entries.filter((entry) => "task" in entry)).toEqual([
        { task: "use pnpm" },
        { task: "exit codes are wrong" },
      ]);
    }));
});
