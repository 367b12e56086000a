/**
 * A child of a supervised tool that writes to the ledger's file without `audit.key` has no answer typed that no person gave in the record,
 * with the hub running or killed at that moment.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { identifyHub, type HubClient } from "../../src/client/connect/meet-hub.js";
import { FakeWorker } from "../support/fake-worker.js";
import { TEST_HANG_MS } from "../support/hang-guards.js";
import { eventually, MAIN } from "../support/hub-home.js";
import { withRig, type Rig } from "../support/rig/rig.js";
import type { Card } from "../support/rig/phone.js";
import type { Run } from "../support/rig/run.js";
import { scaleCount } from "./support/scale.js";

const FORGER = join(import.meta.dirname, "support/attacks/forge.mjs");
/** A tool that asks and writes down the first line that it reads; a child of it forges. Arguments: node, FORGER, context, log. */
const TOOL = `"$0" "$1" "$2" < /dev/null & printf 'Delete the production database? [y/N] '; read -r line; echo "$line" > "$3"`;
/** What shows that somebody else wrote to the record. */
const SEEN = "audit_found_broken";
/** In these states the tool has been given a line. */
const ANSWERED = ["answered", "uncertain"];

interface Scene {
  readonly rig: Rig;
  readonly attacker: Run;
  /** Of the tool that forges, and of another session. */
  readonly card: Card;
  readonly harmless: Card;
}

interface Attack {
  readonly name: string;
  /** Whether the record itself is changed, which the hub records. */
  readonly isSeen: boolean;
  readonly before?: (rig: Rig) => Promise<unknown>;
  /** What people do after it, which is what the attack waits for. */
  readonly then?: (scene: Scene) => Promise<unknown>;
}

const pause = (rig: Rig): Promise<unknown> => withHub(rig, (hub) => hub.call("hub.pause", { paused: true }));
const press =
  (of: "card" | "harmless", button: string) =>
  ({ [of]: card }: Scene): Promise<unknown> =>
    card.pressAnswer(button);

/** A hub sends the answers that it finds when it starts. */
async function restart({ rig }: Scene): Promise<void> {
  for (const command of ["stop", "start"]) expect((await rig.home.run("hub", command)).code).toBe(0);
}

const ATTACKS: readonly Attack[] = [
  { name: "puts an answer into the table", isSeen: false, then: restart },
  { name: "puts an answer and its step into the tables", isSeen: true, then: restart },
  { name: "has every answer changed as it is given", isSeen: false, then: press("card", "No") },
  { name: "binds a card to another question", isSeen: false, then: press("harmless", "Yes") },
  {
    name: "gives a question the short id of another",
    isSeen: false,
    then: ({ rig, harmless }) => Promise.resolve(rig.phone.user.send(`answer ${harmless.shortId} y`)),
  },
  { name: "gives a button another meaning", isSeen: false, then: press("card", "No") },
  {
    name: "lets a stranger's words be those of a person",
    isSeen: false,
    then: ({ rig, card }) => Promise.resolve(rig.stranger.send(`answer ${card.shortId} y`)),
  },
  { name: "puts an update of the service into the table", isSeen: false },
  { name: "puts the end of a pause on record", isSeen: true, before: pause, then: press("card", "Yes") },
  { name: "takes a pause out of the record", isSeen: false, before: pause, then: press("card", "Yes") },
  { name: "takes a step out of the record", isSeen: true },
  { name: "puts a step on record", isSeen: true },
];

/** Waits for a hub: one that was killed is followed by another. */
async function withHub<T>({ home }: Rig, use: (hub: HubClient) => Promise<T>): Promise<T> {
  const { hub } = await eventually(() => identifyHub({ paths: home.paths }));
  return use(hub).finally(() => hub.close());
}

function countSeen({ home }: Rig): number {
  const database = new Database(home.paths.database, { readonly: true });
  try {
    return database.prepare("SELECT count(*) FROM audit WHERE step = ?").pluck().get(SEEN) as number;
  } finally {
    database.close();
  }
}

/** A file's first line, once it is whole. */
function findLine(file: string): string | null {
  return /^(.*)\n/.exec(readFileSync(file, "utf8"))?.[1] ?? null;
}

/** Where the hub has given the tool no line, a person types "n" at its terminal: the first line that it reads must be that one. */
async function answerAtTerminal({ rig, attacker, card, harmless }: Scene): Promise<void> {
  const findState = async (): Promise<string | false> => {
    const prompts = await withHub(rig, (hub) => hub.call("prompts.list", { all: true }));
    const named = (id: string): (typeof prompts)[number] | undefined =>
      prompts.find(({ shortId }) => shortId === id);
    // One attack gives it the other's short id.
    const prompt = named(card.shortId) ?? named(harmless.shortId);
    return prompt !== undefined && prompt.state !== "answering" && prompt.state;
  };
  const state = await eventually(findState);
  if (!ANSWERED.includes(state)) attacker.terminal.press("n\r");
}

async function attack(
  rig: Rig,
  worker: FakeWorker,
  { name, isSeen, before, then }: Attack,
  killsHub: boolean,
): Promise<void> {
  const inHome = (file: string): string => join(rig.home.folder, file);
  const [log, context, typed] = [inHome("forge.log"), inHome("context.json"), inHome("typed")];
  for (const file of [log, typed]) writeFileSync(file, "");
  const attacker = rig.run(["sh", "-c", TOOL, process.execPath, FORGER, context, typed], {
    label: "attacker",
  });
  await worker.raise();
  const harmless = await rig.phone.card("harmless");
  const card = await attacker.card();
  await before?.(rig);
  expect(countSeen(rig)).toBe(0);
  const given = { main: MAIN, database: rig.home.paths.database, log, name };
  writeFileSync(context, JSON.stringify({ ...given, hubToKill: killsHub ? await rig.hubPid() : null }));
  expect(await eventually(() => findLine(log))).toBe("forged");
  const scene = { rig, attacker, card, harmless };
  if (then) await then(scene);
  // Once the hub has taken a tap on a later question, it has handled all that was written before.
  await worker.raise();
  await (await rig.phone.card("harmless", 2)).press(1);
  if (isSeen) await eventually(() => countSeen(rig) > 0);
  await answerAtTerminal(scene);
  expect(await eventually(() => findLine(typed))).toBe("n");
}

/** The gate plays every third attack with a hub that is killed, `npm run verify` all of them. */
const KILLED_EVERY = Math.floor(ATTACKS.length / scaleCount(ATTACKS.length, 3));

describe.each([
  ["with the hub running", false, ATTACKS],
  ["with the hub killed at that instant", true, ATTACKS.filter((_, at) => at % KILLED_EVERY === 0)],
] as const)("a child of a tool, %s,", (_when, killsHub, attacks) => {
  it.each(attacks)("$name: nothing is typed", { timeout: TEST_HANG_MS, concurrent: true }, (each) =>
    withRig(async (rig) => {
      const worker = new FakeWorker(rig.home.paths, { label: "harmless" });
      await attack(rig, worker, each, killsHub).finally(() => worker.close());
    }),
  );
});
