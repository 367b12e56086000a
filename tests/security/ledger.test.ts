/**
 * Nothing that a child of a supervised tool writes to the ledger's file becomes a key, with the hub running or killed at that
 * moment. Each attempt is on record within a second of the time at which a hub can see it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { HubStatus } from "../../src/wire/listings.js";
import { eventually, MAIN } from "../support/hub-home.js";
import { trustAtTerminal } from "../support/trust-at-terminal.js";
import { withRig, type Rig } from "../support/rig/rig.js";
import type { Run } from "../support/rig/run.js";

const TOOL = join(import.meta.dirname, "support/attacks/forge.mjs");
const RECORD_WITHIN_MS = 1_000;
/** What shows that somebody else wrote to the ledger. */
const SEEN = ["foreign_write_seen", "row_quarantined", "audit_found_broken"];

interface Scene {
  readonly rig: Rig;
  readonly attacker: Run;
  readonly harmless: Run;
}

interface Attack {
  readonly name: string;
  readonly before?: (rig: Rig) => Promise<unknown>;
  /** What people do after it, which is what the attack waits for. */
  readonly then?: (scene: Scene) => Promise<unknown>;
}

/**
 * A hub that starts on a ledger with rows put back trusts none of its confirmations, so that Telegram's emulated address stays
 * closed. A person confirms it again, or nothing could be pressed.
 */
async function reopenChannel({ rig }: Scene): Promise<void> {
  const state = async (): Promise<string | undefined> => {
    const { hub } = await rig.home.data<{ hub: HubStatus | null }>("status");
    return hub?.channels.find(({ id }) => id === "telegram")?.state;
  };
  await eventually(async () => ["connected", "failed"].includes((await state()) ?? ""));
  if ((await state()) === "connected") return;
  expect(await trustAtTerminal(rig.home, "y")).toMatchObject({ code: 0 });
  await eventually(async () => (await state()) === "connected");
}

const pause = (rig: Rig): Promise<unknown> => rig.home.run("pause");
const press =
  (of: "attacker" | "harmless", button: string) =>
  async (scene: Scene): Promise<void> => {
    await reopenChannel(scene);
    const card = await scene[of].card();
    // A card of a question that was given up has no buttons any more.
    if (card.buttons.length > 0) await card.pressAnswer(button);
  };

const ATTACKS: readonly Attack[] = [
  { name: "puts an answer into the table" },
  { name: "puts an answer and its step into the tables" },
  { name: "has every answer changed as it is given", then: press("attacker", "No") },
  { name: "binds a card to another question", then: press("harmless", "Yes") },
  { name: "gives a button another meaning", then: press("attacker", "No") },
  {
    name: "lets a stranger's words be those of a person",
    then: async ({ rig, attacker }) => {
      const { shortId } = await attacker.card();
      rig.stranger.send(`answer ${shortId} y`);
    },
  },
  { name: "puts an update of the service into the table" },
  { name: "lifts a pause", before: pause, then: press("attacker", "Yes") },
  { name: "takes a pause out of the table", before: pause, then: press("attacker", "Yes") },
  { name: "takes a step out of the record" },
  { name: "puts a step on record" },
];

type Line = { readonly at: number; readonly failed?: string; readonly typed?: string };

function readLines(log: string): Line[] {
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

function recorded({ home }: Rig): { at: number; step: string }[] {
  const database = new Database(home.paths.database, { readonly: true });
  try {
    return database.prepare("SELECT at, step FROM audit").all() as { at: number; step: string }[];
  } finally {
    database.close();
  }
}

async function attack(rig: Rig, { name, before, then }: Attack, killsHub: boolean): Promise<void> {
  const log = join(rig.home.folder, "forge.log");
  const context = join(rig.home.folder, "context.json");
  writeFileSync(log, "");
  const given = { main: MAIN, database: rig.home.paths.database, log, name, killsHub };
  writeFileSync(context, JSON.stringify(given));
  const harmless = rig.run(["sh", "-c", "printf 'Print the date? [y/N] '; read line; date"], {
    label: "harmless",
  });
  await harmless.card();
  await before?.(rig);
  writeFileSync(join(rig.home.folder, "hub.pid"), String(await rig.hubPid()));
  const attacker = rig.run([process.execPath, TOOL, context], { label: "attacker" });
  await attacker.card();
  const { at, failed } = await eventually(() => readLines(log)[0] ?? false);
  expect(failed).toBeUndefined();
  const seen = await eventually(
    () => recorded(rig).find((row) => row.at >= at - RECORD_WITHIN_MS && SEEN.includes(row.step)) ?? false,
  );
  const started = recorded(rig).findLast(({ step }) => step === "hub_started")?.at ?? 0;
  expect(seen.at - Math.max(at, killsHub ? started : 0)).toBeLessThanOrEqual(RECORD_WITHIN_MS);
  if (then) await then({ rig, attacker, harmless });
  // Whatever can still come of it comes while the hub lives on for a while.
  await eventually(() => rig.home.hub());
  await new Promise((resolve) => setTimeout(resolve, RECORD_WITHIN_MS));
  const typed = readLines(log).flatMap(({ typed }) => typed ?? []);
  expect(typed.filter((words) => words !== "n")).toEqual([]);
}

describe.each([
  ["with the hub running", false],
  ["with the hub killed at that instant", true],
])("a child of a tool, %s,", (_when, killsHub) => {
  it.each(ATTACKS)("$name: nothing is typed, and it is on record", (each) =>
    withRig((rig) => attack(rig, each, killsHub)),
  );
});
