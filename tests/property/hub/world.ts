/**
 * A small world around the real hub core: a tool with one question, its worker, a chat service, a human, and faults. Every hop of
 * a message and every edge of a transaction is a numbered step; a plan says what breaks at which. A killed hub stops there and
 * then: nothing it does later has any effect. It comes back on the same database file.
 */
import { readDatabase } from "./read-database.js";
import type { Clock } from "../../../src/model/clock.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { Reply } from "../../../src/model/answer/reply.js";
import { Hub } from "../../../src/hub/core/hub.js";
import { openStore } from "../../../src/hub/store/open-store.js";
import type { Store } from "../../../src/hub/store/store.js";
import { ManualClock } from "../../../src/observe/clock.js";
import { systemRandom } from "../../../src/observe/random.js";
import { configureChannel, turns } from "../../unit/hub/fake-channel.js";
import { SETTINGS } from "../../unit/hub/rig.js";
import { ChatService, ChatChannel } from "./chat-service.js";
import type { HubLine } from "./hub-line.js";

export interface WorldWorker {
  readonly line: HubLine;
  readonly isDone: boolean;
  reconnect(): Promise<void>;
}

/** `cut`: the message of this hop is lost, and with it the connection. */
export type Fault = "kill_hub" | "kill_worker" | "cut";
export type Plan = ReadonlyMap<number, Fault>;

export interface HubLife {
  readonly core: Hub;
  readonly store: Store;
  isDead(): boolean;
  die(): void;
}

export class Killed extends Error {}

/** A call of a process that is no more: nobody hears of it again. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Enough for several restarts, backoffs and the loss of a session; a world that is not done by then is stuck. */
const ROUNDS_MAX = 300;

export class World {
  readonly clock = new ManualClock();
  readonly chat = new ChatService();
  readonly worker: WorldWorker;
  /** One entry for each time that bytes went into the tool, with what the disk said at that instant. */
  readonly writes: { readonly key: string; readonly recorded: boolean }[] = [];
  readonly names: string[] = [];
  readonly #plan: Plan;
  readonly #path: string;
  hub: HubLife | null = null;

  constructor(path: string, plan: Plan, makeWorker: (world: World) => WorldWorker) {
    this.#path = path;
    this.#plan = plan;
    this.worker = makeWorker(this);
  }

  /** One step of the world; what breaks here breaks now. Returns the fault for those who lose their message by it. */
  step(name: string): Fault | null {
    const fault = this.#plan.get(this.names.length) ?? null;
    this.names.push(name);
    if (fault === "kill_hub" && this.hub) {
      this.hub.die();
      this.worker.line.lose();
    }
    if (fault === "kill_worker") this.worker.line.kill();
    if (fault === "cut") this.worker.line.lose();
    return fault;
  }

  async write(event: PromptEvent, reply: Reply): Promise<void> {
    this.step("the bytes are about to be written");
    if (this.worker.line.isDead) await never();
    const sql = `SELECT 1 FROM injections JOIN audit ON audit.position = audit_position
      WHERE reply_id = ? AND step = 'injection_began' AND ended_at IS NULL`;
    this.writes.push({ key: event.idempotencyKey, recorded: this.read(sql, reply.replyId).length === 1 });
    this.step("the bytes are written");
  }

  /** Lives until everything is settled. Throws when that never happens. */
  async run(): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      if (!this.hub || this.hub.isDead()) await this.#startHub();
      // Not awaited: a process that is killed in the middle never comes back.
      void this.worker.reconnect();
      await turns(4);
      void this.chat.poll();
      await turns(4);
      if (this.#isSettled()) return;
      this.chat.humanLooks();
      this.clock.advance(this.worker.line.isDead ? 10_000 : 1_000);
      await turns(4);
    }
    throw new Error(`not settled: ${JSON.stringify(this.#openStates())}`);
  }

  read<T>(sql: string, ...params: string[]): T[] {
    return readDatabase<T>(this.#path, sql, params);
  }

  close(): void {
    if (this.hub) this.hub.store.close();
    this.hub = null;
  }

  async #startHub(): Promise<void> {
    this.hub?.store.close();
    const store = await openStore({ path: this.#path, redact: (text) => text });
    let dead = false;
    const isDead = (): boolean => dead;
    const core = this.#makeCore(store, isDead);
    const life: HubLife = { core, store, isDead, die: () => void (dead = true) };
    this.hub = life;
    this.#makeBreakable(life);
    try {
      await core.useChannels([configureChannel(new ChatChannel(this, life))]);
      await core.start();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }

  #makeCore(store: Store, isDead: () => boolean): Hub {
    const { clock } = this;
    // Timers die with their process.
    const mortal: Clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      sinceBoot: () => clock.sinceBoot(),
      after: (ms, callback) => clock.after(ms, () => (isDead() ? undefined : callback())),
    };
    return new Hub(store, {
      clock: mortal,
      random: systemRandom,
      safeText: (text) => text,
      settings: SETTINGS,
      processAlive: () => !this.worker.line.isDead,
      log: () => undefined,
      version: "0.1.0",
    });
  }

  /** Every transaction has three edges to die at: before it, in it (rolled back), and after its commit. */
  #makeBreakable(life: HubLife): void {
    const { store } = life;
    const write = store.write.bind(store);
    const edge = (name: string): void => {
      if (life.isDead()) throw new Killed(name);
      this.step(name);
      if (life.isDead()) throw new Killed(name);
    };
    store.write = (work) => {
      edge("before a transaction");
      const result = write(() => {
        const made = work();
        edge("in a transaction");
        return made;
      });
      edge("after a commit");
      return result;
    };
  }

  #isSettled(): boolean {
    const open = this.#openStates();
    const [outbox] = this.read<{ n: number }>("SELECT count(*) AS n FROM outbox");
    return this.worker.isDone && open.length === 0 && outbox?.n === 0 && this.chat.allSettled();
  }

  #openStates(): string[] {
    const rows = this.read<{ state: string }>("SELECT state FROM prompts WHERE closed_at IS NULL");
    return rows.map(({ state }) => state);
  }
}
