/**
 * What no rule lifts, with a real hub, a real tool in a terminal and a phone: the rule answers one question of a session, and never the
 * one that is for people. Card and audit say why, and the tool gets nothing before a person answers.
 */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import type { Card } from "../support/rig/phone.js";
import { Replay } from "../support/rig/replay.js";
import { withRig, type Rig } from "../support/rig/rig.js";
import type { Run } from "../support/rig/run.js";
import { writeOwnAdapter } from "../support/own-adapter.js";

/** Made here: no token stands in the repository. */
const TOKEN = `sk_live_${"9aZ3kQ7w".repeat(4)}`;
const FREE = "Deploy to staging? [y/N] ";

/** One rule for each class that is for people, and one that is not certain what it saw. */
const ADAPTER = `
schema: 1
name: guarded
version: 1.0.0
description: Asks what is for people
family: agent
process: { executable: guarded }
unread: line
defaults: { class: question, confidence: 0.9 }
rules:
  - { name: startup, shape: yes_no, class: startup, question: "^(Resume .{1,80}) \\\\[y/N\\\\] ?$" }
  - { name: trust, shape: yes_no, class: trust, question: "^(Trust .{1,80}) \\\\[y/N\\\\] ?$" }
  - { name: login, shape: yes_no, class: login, question: "^(Sign in .{1,80}) \\\\[y/N\\\\] ?$" }
  - { name: update, shape: yes_no, class: update, question: "^(Update .{1,80}) \\\\[y/N\\\\] ?$" }
  - { name: perhaps, shape: yes_no, confidence: 0.6, question: "^(Perhaps .{1,80}) \\\\[y/N\\\\] ?$" }
  - { name: secret, shape: secret, class: secret, question: "^Password: ?$" }
  - { name: yes_no, shape: yes_no }
`;

interface Guard {
  readonly name: string;
  /** What the tool asks; a % is for printf. */
  readonly asks: string | ((rig: Rig) => string);
  /** How the rule answers; default: the choice that allows once. */
  readonly answer?: string;
  readonly why: string;
  /** What the person does, and what the tool gets. Default: a tap on No. */
  readonly person?: (card: Card, run: Run) => unknown;
  readonly got?: string;
  /** What is shown above the question. */
  readonly above?: string;
  readonly generic?: true;
}

const GUARDS: readonly Guard[] = [
  { name: "low confidence", asks: "Perhaps go on? [y/N] ", why: "it was detected with low confidence" },
  {
    name: "an unknown question",
    asks: "Give me the thing now",
    answer: "{ value: enter }",
    why: "it is not known what it asks",
    person: (card) => card.reply("text:me"),
    got: "me",
  },
  {
    name: "a secret",
    asks: "Password: ",
    why: "it asks for a secret",
    person: (_, run) => run.terminal.press("mine\r"),
    got: "mine",
  },
  ...["Resume startup", "Trust trust", "Sign in login", "Update update"].map((words) => {
    const kind = words.split(" ").at(-1)!;
    const asks = `${words.slice(0, -kind.length)}this one? [y/N] `;
    return { name: `dialog: ${kind}`, asks, why: `${kind} prompts are for people` };
  }),
  {
    name: "content that is cut",
    asks: "Run it? [y/N] ",
    above: "line of the command\\n".repeat(80),
    generic: true,
    why: "its content is not shown completely",
  },
  {
    name: "a part that is hidden",
    asks: `Run it with ${TOKEN}? [y/N] `,
    why: "a part of its content is hidden",
  },
  {
    name: "characters that mislead",
    asks: "Run\u202e it? [y/N] ",
    why: "its content has characters that mislead",
  },
  {
    name: "our own policy",
    asks: ({ home }) => `Overwrite ${home.paths.policy}? [y/N] `,
    why: "it touches AtlasBridge itself",
  },
  {
    name: "our own data",
    asks: ({ home }) => `Remove ${home.paths.database}? [y/N] `,
    why: "it touches AtlasBridge itself",
  },
];

const ASK = 'ask() { printf "$1"; read a; echo "got <$a>"; }';

function writePolicy({ home }: Rig, answer: string): void {
  const rules = [
    "  - { id: free, match: { text: staging }, answer: allow_once }",
    `  - { id: eager, answer: ${answer} }`,
  ];
  writeFileSync(home.paths.policy, `version: 1\nmode: full\nrules:\n${rules.join("\n")}\n`);
}

function startTool(rig: Rig, { asks, above = "", generic }: Guard): Run {
  writeOwnAdapter(rig.home.paths, "guarded", ADAPTER);
  const question = typeof asks === "string" ? asks : asks(rig);
  const script = `${ASK}; ask '${FREE}'; printf '${above}'; ask '${question}'`;
  return rig.run(["sh", "-c", script], generic ? {} : { flags: ["--adapter", "guarded"] });
}

const count = (rig: Rig, step: string): number =>
  rig.record.filter((line) => line.includes(` ${step} `)).length;

/** That nothing was typed for it, and why, on the card and in the audit. */
async function expectHeld(rig: Rig, card: Card, why: string): Promise<void> {
  expect(card.text).toContain(`Rule eager does not act: ${why}`);
  expect((await rig.prompts()).find(({ shortId }) => shortId === card.shortId)?.state).toBe("pending");
  const raised = rig.record.filter((line) => line.includes(" prompt_raised ")).at(-1);
  expect(raised).toContain(`"held":{"rule":"eager","why":"${why}"}`);
}

describe.concurrent("a rule that would answer everything leaves to people", () => {
  it.each(GUARDS)("$name", (guard) =>
    withRig(async (rig) => {
      writePolicy(rig, guard.answer ?? "allow_once");
      const run = startTool(rig, guard);
      const card = await run.card();
      expect(run.text).toContain("got <y>");
      expect(count(rig, "prompt_claimed")).toBe(1);
      await expectHeld(rig, card, guard.why);
      await (guard.person ?? ((asked) => asked.pressAnswer("No")))(card, run);
      await run.terminal.waitFor(new RegExp(`got <${guard.got ?? "n"}>`));
      await card.settled();
      expect(run.text.match(/got </g)).toHaveLength(2);
      expect(rig.record.filter((line) => line.includes('"by":"the policy'))).toHaveLength(1);
    }),
  );

  it("a choice that holds for more than once", () =>
    withRig(async (rig) => {
      writePolicy(rig, '{ value: "2" }');
      const replay = Replay.start(rig, ["bash"]);
      const card = await replay.run.card();
      await expectHeld(rig, card, "the choice holds for more than this prompt");
      expect(replay.typed).toEqual([]);
      await card.press(4);
      await card.settled();
      expect(replay.typed).toEqual(["4"]);
    }));

  it("the prompts of a session that asks too often, until a person lets it go on", () =>
    withRig(
      async (rig) => {
        writePolicy(rig, "allow_once");
        const run = rig.run(["sh", "-c", `${ASK}; for n in 1 2 3; do ask "Go on with $n? [y/N] "; done`]);
        await rig.phone.notice(/^⏸ .* raised 3 prompts .* no rule answers them/);
        await eventually(async () => (await rig.prompts()).length === 3);
        expect(run.text.match(/got <y>/g)).toHaveLength(2);
        expect((await rig.home.run("status")).stdout).toContain("PROMPTS HELD BACK");
        expect((await rig.home.run("prompts")).stdout).toContain("Go on with 3?");
        expect(rig.record.at(-1)).toContain('"held":{"rule":"eager","why":"its session asks too often"}');
        rig.phone.user.send(`resume ${run.label}`);
        const card = await run.card();
        expect(run.text.match(/got </g)).toHaveLength(2);
        await card.pressAnswer("No");
        await run.terminal.waitFor(/got <n>/);
      },
      { prompts: { flood_limit: 2 } },
    ));
});
