/**
 * No decision is lost and no answer is typed twice when hub or worker is killed or the line between them is cut, at every single
 * step and with up to six faults together.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENESIS, hashRecord } from "../../../src/hub/audit/chain.js";
import { fastestTmp } from "../../unit/hub/rig.js";
import { ModelWorker } from "./model-worker.js";
import { RelayWorker } from "./relay-worker.js";
import { World, type Fault, type Plan, type WorldWorker } from "./world.js";

let directory = "";
let worlds = 0;
beforeAll(() => void (directory = mkdtempSync(join(fastestTmp(), "atb-crash-"))));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function live(plan: Plan, makeWorker: (world: World) => WorldWorker): Promise<World> {
  const world = new World(join(directory, `${++worlds}.db`), plan, makeWorker);
  await world.run();
  return world;
}

function check(world: World): void {
  const keys = world.writes.map(({ key }) => key);
  expect(new Set(keys).size, "one write a key").toBe(keys.length);
  expect(
    world.writes.every(({ recorded }) => recorded),
    "on record before the first byte",
  ).toBe(true);
  const prompts = world.read<{ state: string; idempotency_key: string }>(
    "SELECT state, idempotency_key FROM prompts",
  );
  for (const { state, idempotency_key: key } of prompts) {
    const written = keys.some((writtenKey) => writtenKey === key);
    if (written) expect(["answered", "uncertain"]).toContain(state);
    else if (world.worker.line.isDead) expect(["withdrawn", "uncertain", "failed"]).toContain(state);
    else expect(state, "given back before the first byte").toBe("failed");
    if (!world.worker.line.isDead) expect(state).not.toBe("uncertain");
  }
  if (!world.worker.line.isDead) expect(keys, "the decision had its effect").toHaveLength(1);
  // Whoever tapped once is never told that somebody else was first, however often the update is handled.
  if (world.chat.taps === 1) expect(world.chat.toasts.join()).not.toContain("Already answered");
  checkCards(world);
  checkAudit(world);
}

/** Every card in the chat, twins too, says in the end what became of its prompt. */
function checkCards(world: World): void {
  for (const { notice, outcome } of world.chat.cards) {
    const [prompt] = world.read<{ state: string; outcome: string }>(
      "SELECT state, outcome FROM prompts WHERE prompt_id = ?",
      notice.promptId,
    );
    expect({ state: outcome?.state, text: outcome?.text }).toEqual({
      state: prompt?.state,
      text: prompt?.outcome,
    });
  }
}

function checkAudit(world: World): void {
  type Row = Parameters<typeof hashRecord>[0] & { hash: string };
  const rows = world.read<Row>(
    `SELECT position, at, step, session_id AS sessionId, prompt_id AS promptId, identity, details, previous, hash
     FROM audit ORDER BY position`,
  );
  let previous = GENESIS;
  for (const row of rows) {
    expect(row.previous).toBe(previous);
    expect(row.hash).toBe(hashRecord(row));
    previous = row.hash;
  }
}

const FAULTS: readonly Fault[] = ["kill_hub", "kill_worker", "cut"];
const WORKERS: readonly (readonly [name: string, make: (world: World) => WorldWorker])[] = [
  ["a worker that asks again when its begin was lost", (world) => new ModelWorker(world, "asks_again")],
  [
    "a worker that gives the reply back when its begin was lost",
    (world) => new ModelWorker(world, "gives_back"),
  ],
  ["the real relay", (world) => new RelayWorker(world)],
];

describe.each(WORKERS)("with %s", (_name, variant) => {
  it("answers once when nothing breaks", async () => {
    const world = await live(new Map(), variant);
    check(world);
    expect(world.writes).toHaveLength(1);
    expect(world.chat.cards.map(({ outcome }) => outcome?.text)).toEqual(["✅ Yes, by Ara, confirmed"]);
    world.close();
  });

  it.each(FAULTS)("loses no decision and writes none twice: %s at each single step", async (fault) => {
    const calm = await live(new Map(), variant);
    calm.close();
    expect(calm.names.length).toBeGreaterThan(40);
    for (let at = 0; at < calm.names.length; at++) {
      const world = await live(new Map([[at, fault]]), variant).catch((error: unknown) => {
        throw new Error(`${fault} at step ${at} (${calm.names[at] ?? ""}): ${String(error)}`);
      });
      check(world);
      world.close();
    }
  });

  it("loses no decision and writes none twice: up to six faults anywhere", async () => {
    const plans = fc.dictionary(fc.integer({ min: 0, max: 160 }).map(String), fc.constantFrom(...FAULTS), {
      maxKeys: 6,
    });
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const world = await live(
          new Map(Object.entries(plan).map(([at, fault]) => [Number(at), fault])),
          variant,
        );
        check(world);
        world.close();
      }),
      { numRuns: 100 },
    );
  });
});
