/**
 * In any order of events the real core, on a real database file, moves prompts only along the table of states and begins at most
 * one injection for a key.
 */
import fc from "fast-check";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Hub } from "../../../src/hub/core/hub.js";
import { openStore } from "../../../src/hub/store/open-store.js";
import type { PromptRow } from "../../../src/hub/store/tables/prompts.js";
import type { Store } from "../../../src/hub/store/store.js";
import { AtlasBridgeError } from "../../../src/model/errors.js";
import { PROMPT_STATES, isOpen, type PromptState } from "../../../src/model/lifecycle.js";
import { createRefusal } from "../../../src/model/answer/refusal.js";
import { ManualClock } from "../../../src/observe/clock.js";
import { systemRandom } from "../../../src/observe/random.js";
import { FakeChannel, configureChannel, turns } from "../../unit/hub/fake-channel.js";
import {
  FakeLink,
  RECEIPT,
  SESSION,
  SETTINGS,
  makeEvent,
  fastestTmp,
  sessionParams,
} from "../../unit/hub/rig.js";
import { readDatabase } from "./read-database.js";

const directory = mkdtempSync(join(fastestTmp(), "atb-orders-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let files = 0;

/** One hub with one session and two possible prompts, so that they can be mixed up. */
class Scene {
  readonly clock = new ManualClock();
  readonly core: Hub;
  readonly store: Store;
  /** The first reply that each prompt ever had: an old one, once it was refused. */
  readonly firstReplies = new Map<number, string>();

  constructor(store: Store) {
    this.store = store;
    this.core = new Hub(store, {
      clock: this.clock,
      random: systemRandom,
      safeText: (text) => text,
      settings: SETTINGS,
      processAlive: () => true,
      log: () => undefined,
      version: "0.1.0",
    });
  }

  prompt(n: number): PromptRow | null {
    return this.store.prompts.find(makeEvent(n).promptId);
  }

  answer(n: number, value: string): void {
    const shortId = this.prompt(n)?.shortId ?? "00";
    void this.core.handlers["prompt.answer"]({ shortId, value }, { sessionId: null });
    const replyId = this.prompt(n)?.replyId;
    if (replyId && !this.firstReplies.has(n)) this.firstReplies.set(n, replyId);
  }
}

const worker = { sessionId: SESSION };
const id = (n: number) => ({ promptId: makeEvent(n).promptId });
const reply = (s: Scene, n: number) => ({ ...id(n), replyId: s.prompt(n)?.replyId ?? "none" });
const oldReply = (s: Scene, n: number) => ({ ...id(n), replyId: s.firstReplies.get(n) ?? "none" });
const refusal = { rejection: { ...createRefusal("screen_moved") } };
const begin = { route: "keys" as const, fingerprint: "f" };

const ACTIONS: Readonly<Record<string, (s: Scene, n: number) => unknown>> = {
  raise: (s, n) => s.core.handlers["prompt.raise"](makeEvent(n) as never, worker),
  answer: (s, n) => s.answer(n, "1"),
  answerIllegally: (s, n) => s.answer(n, "yes"),
  begin: (s, n) => s.core.handlers["injection.begin"]({ ...reply(s, n), ...begin }, worker),
  beginOld: (s, n) => s.core.handlers["injection.begin"]({ ...oldReply(s, n), ...begin }, worker),
  end: (s, n) => s.core.handlers["injection.end"]({ ...reply(s, n), receipt: { ...RECEIPT } }, worker),
  endOld: (s, n) => s.core.handlers["injection.end"]({ ...oldReply(s, n), receipt: { ...RECEIPT } }, worker),
  refuse: (s, n) => s.core.handlers["reply.refuse"]({ ...reply(s, n), ...refusal, stillAsked: true }, worker),
  refuseOld: (s, n) =>
    s.core.handlers["reply.refuse"]({ ...oldReply(s, n), ...refusal, stillAsked: true }, worker),
  giveUp: (s, n) =>
    s.core.handlers["reply.refuse"]({ ...reply(s, n), ...refusal, stillAsked: false }, worker),
  withdraw: (s, n) => s.core.handlers["prompt.withdraw"]({ ...id(n), reason: "left_screen" }, worker),
  waitLong: (s) => s.clock.advance(600_000),
  close: (s) => s.core.handlers["session.close"]({ sessionId: SESSION, exitCode: 0, signal: null }, worker),
  open: (s) => s.core.handlers["session.open"](sessionParams(), worker),
};

function act(scene: Scene, name: string, n: number): void {
  try {
    ACTIONS[name]?.(scene, n);
  } catch (error) {
    // What is out of order is refused; anything else is a bug.
    if (!(error instanceof AtlasBridgeError) || error.code !== "ATB_HUB_REFUSED") throw error;
  }
}

async function play(order: readonly (readonly [string, number])[]): Promise<string> {
  const path = join(directory, `${++files}.db`);
  const scene = new Scene(await openStore({ path, redact: (text) => text }));
  await scene.core.useChannels([configureChannel(new FakeChannel())]);
  await scene.core.start();
  act(scene, "open", 1);
  scene.core.connected(SESSION, new FakeLink());
  const seen = new Map<number, PromptState>();
  for (const [name, n] of order) {
    act(scene, name, n);
    for (const known of [1, 2]) {
      const before = seen.get(known);
      const now = scene.prompt(known)?.state;
      if (now === undefined) continue;
      expect(PROMPT_STATES).toContain(now);
      if (before !== undefined && !isOpen(before)) expect(now, "closed is closed").toBe(before);
      seen.set(known, now);
    }
  }
  await turns(2);
  expect(scene.store.audit.verify().intact).toBe(true);
  await scene.core.stop();
  return path;
}

describe("any order of events", () => {
  it("keeps every prompt in the table, closed for good once closed, with at most one injection a key, on record", async () => {
    // What goes on is drawn more often than what ends, or hardly any order would come to an injection.
    const onward = fc.constantFrom("raise", "answer", "answer", "begin", "begin", "end");
    const any = fc.constantFrom(...Object.keys(ACTIONS));
    const name = fc.oneof({ weight: 3, arbitrary: onward }, { weight: 1, arbitrary: any });
    const orders = fc.array(fc.tuple(name, fc.constantFrom(1, 2)), { maxLength: 40, size: "max" });
    let injections = 0;
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const path = await play(order);
        const rows = readDatabase<{ n: number; records: number }>(
          path,
          `SELECT count(*) AS n, (SELECT count(*) FROM audit
             WHERE step = 'injection_began' AND audit.prompt_id = injections.prompt_id) AS records
           FROM injections GROUP BY prompt_id`,
          [],
        );
        for (const row of rows) expect(row).toEqual({ n: 1, records: 1 });
        injections += rows.length;
      }),
      { numRuns: 200 },
    );
    expect(injections).toBeGreaterThan(30);
  });
});
