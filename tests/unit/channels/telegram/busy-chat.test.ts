/** A hub with the real Telegram channel on the strict emulator, by a manual clock: nothing is refused, and prompts come first. */
import { afterEach, describe, expect, it } from "vitest";
import { createTelegram } from "../../../../channels/telegram/create.js";
import telegramPlugin from "../../../../channels/telegram/index.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import type { Channel } from "../../../../src/sdk/channel.js";
import { startTelegram, type TelegramEmulator } from "../../../support/telegram/emulator.js";
import { FakeLink, makeEvent, makeRig, sessionParams, SETTINGS, type Rig } from "../../hub/rig.js";
import { turns } from "../../hub/fake-channel.js";

const PHONE = 1001;
const GROUP = -1001;
const STEP_MS = 100;

class BusyChat {
  readonly clock = new ManualClock();
  /** `s1 prompt`, `s1 text`, `s1 edit` */
  readonly calls: string[] = [];
  /** When each card was sent, by the number of its prompt. */
  readonly sent = new Map<number, number>();
  telegram!: TelegramEmulator;
  rig!: Rig;
  #underway = 0;
  #count = 0;

  static async open(chat: number, sessions: number): Promise<BusyChat> {
    const bench = new BusyChat();
    bench.telegram = await startTelegram({ now: () => bench.clock.monotonic() });
    bench.telegram.user(PHONE, "Ara");
    if (chat < 0) bench.telegram.group(chat, "Team");
    bench.rig = await makeRig({
      clock: bench.clock,
      unopened: true,
      settings: {
        ...SETTINGS,
        people: [{ name: "Ara", identities: [`telegram:${PHONE}`], role: "approver" }],
      },
      configuredChannels: () => [],
    });
    const host = { clock: bench.clock, random: () => 0.5, ...bench.rig.core.createChannelHost("telegram") };
    const quiet = { ...host, report: () => undefined, log: () => undefined, broadcast: () => undefined };
    const config = { token: bench.telegram.token, api_root: bench.telegram.apiRoot, deliver_to: [chat] };
    const { capabilities } = telegramPlugin.manifest;
    const channel = bench.#watch(createTelegram(config, quiet));
    await bench.rig.core.useChannels([{ id: "telegram", capabilities, places: [String(chat)], channel }]);
    for (let n = 1; n <= sessions; n += 1) {
      const params = sessionParams({ sessionId: bench.session(n), label: `s${n}`, pid: 4242 + n });
      await bench.rig.core.handlers["session.open"](params, { sessionId: null });
      bench.rig.core.connected(bench.session(n), new FakeLink());
    }
    return bench;
  }

  session(n: number): SessionId {
    return asId<SessionId>(`22222222-2222-4222-8222-${String(n).padStart(12, "0")}`);
  }

  /** Raises the next prompt of the session, and returns its number. */
  async ask(session: number): Promise<number> {
    const number = (this.#count += 1);
    const sessionId = this.session(session);
    await this.rig.core.handlers["prompt.raise"](makeEvent(number, { sessionId }) as never, { sessionId });
    return number;
  }

  /** The prompt is answered at the terminal: its card is edited. */
  async answer(number: number, session: number): Promise<void> {
    const { promptId } = makeEvent(number);
    const caller = { sessionId: this.session(session) };
    await this.rig.core.handlers["prompt.withdraw"]({ promptId, reason: "left_screen" }, caller);
  }

  async state(session: number, state: "working" | "idle", said?: string): Promise<void> {
    const sessionId = this.session(session);
    await this.rig.core.handlers["session.state"](
      { sessionId, state, ...(said && { said }) },
      {
        sessionId,
      },
    );
  }

  /** In small steps, each of which ends when no call is under way. */
  async run(ms: number): Promise<void> {
    for (const end = this.clock.monotonic() + ms; this.clock.monotonic() < end;) {
      await this.settled();
      this.clock.advance(STEP_MS);
    }
    await this.settled();
  }

  async settled(): Promise<void> {
    do await turns();
    while (this.#underway > 0);
  }

  get refused(): number {
    return this.telegram.requests.filter(({ status }) => status === 429).length;
  }

  async close(): Promise<void> {
    await this.rig.core.stop();
    await this.telegram.stop();
  }

  #watch(channel: Channel): Channel {
    const note = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
      this.#underway += 1;
      this.calls.push(what);
      return call().finally(() => (this.#underway -= 1));
    };
    return new Proxy(channel, {
      get: (target, name) => {
        if (name === "deliver")
          return (notice: Parameters<Channel["deliver"]>[0]) => {
            const number = notice.kind === "prompt" ? Number(notice.promptId.slice(-12)) : null;
            if (number !== null) this.sent.set(number, this.clock.monotonic());
            return note(`${notice.session.label} ${notice.kind}`, () => target.deliver(notice));
          };
        if (name === "settle")
          return (...args: Parameters<Channel["settle"]>) =>
            note(`${args[1].session.label} edit`, () => target.settle(...args));
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? (value as () => unknown).bind(target) : value;
      },
    });
  }
}

let bench: BusyChat;
afterEach(() => bench.close());

describe("a busy Telegram chat", () => {
  it("in private takes twenty prompts in each minute, all answered soon, without a queue", async () => {
    bench = await BusyChat.open(PHONE, 1);
    for (let n = 0; n < 60; n += 1) {
      const number = await bench.ask(1);
      await bench.run(2_000);
      await bench.answer(number, 1);
      await bench.run(1_000);
    }
    expect(bench.refused).toBe(0);
    expect(bench.sent.size).toBe(60);
    expect(bench.rig.store.outbox.count()).toBe(0);
    expect(bench.telegram.posts(PHONE).filter(({ text }) => text.includes(" late."))).toEqual([]);
  });

  it("in a group serves three busy sessions alike, within what a group takes", async () => {
    bench = await BusyChat.open(GROUP, 3);
    const next = new Map([1, 2, 3].map((session) => [session, { at: session * 2, number: 0 }]));
    for (let second = 0; second < 300; second += 1) {
      for (const [session, turn] of next) {
        const sentAt = bench.sent.get(turn.number);
        if (turn.number === 0 && turn.at <= second) turn.number = await bench.ask(session);
        else if (sentAt !== undefined && bench.clock.monotonic() - sentAt >= 5_000) {
          await bench.answer(turn.number, session);
          Object.assign(turn, { number: 0, at: second + 10 });
        }
        if (second % 40 === session * 5) {
          await bench.state(session, "working");
          await bench.state(session, "idle", `Turn at ${second} is done.`);
        }
      }
      await bench.run(1_000);
    }
    expect(bench.refused).toBe(0);
    const shares = [1, 2, 3].map(
      (session) => bench.calls.filter((what) => what === `s${session} prompt`).length,
    );
    expect(Math.min(...shares)).toBeGreaterThan(0);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
  });
});
