/**
 * The day that a newcomer recorded, on a manual clock: a real hub and the real Telegram channel, which speaks HTTP with the emulator. It
 * counts what comes to the phone, as Telegram got it.
 */
import { onTestFinished } from "vitest";
import * as v from "valibot";
import { createTelegram } from "../../../channels/telegram/create.js";
import { TIMING } from "../../../channels/telegram/limits.js";
import telegramPlugin from "../../../channels/telegram/index.js";
import { buildConfigSchema } from "../../../src/config/schema.js";
import type { LedgerSettings } from "../../../src/hub/ledger/ledger.js";
import type { Hub } from "../../../src/hub/core/hub.js";
import { asId, type IdempotencyKey, type SessionId } from "../../../src/model/ids.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { ToolState } from "../../../src/model/tool-state.js";
import { systemClock, type Clock, type ManualClock } from "../../../src/observe/clock.js";
import type { Channel } from "../../../src/sdk/channel.js";
import { startTelegram, type Message, type TelegramEmulator } from "../../support/telegram/emulator.js";
import { turns } from "./fake-channel.js";
import { FakeLink, makeEvent, makeRig, RECEIPT, sessionParams, SETTINGS, type Rig } from "./rig.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const PHONE = 1001;
const READ_MS = [8, 15, 12, 40].map((seconds) => seconds * SECOND);
/** A message that rings so soon after a key does so beside the person who typed it. */
const AT_KEYBOARD_MS = 30 * SECOND;

export interface PhoneCount {
  readonly prompts: number;
  readonly promptsAtKeyboard: number;
  readonly turnsAtKeyboard: number;
  readonly tasks: number;
  readonly ends: number;
  readonly messages: number;
  readonly cards: number;
  /** Ends of turns. */
  readonly idle: number;
  /** All messages that are no card and no end of a turn, and ends of turns that come while their reader looks at that terminal. */
  readonly askNothing: number;
  readonly rings: number;
  readonly rangAtKeyboard: number;
}

interface Terminal {
  readonly sessionId: SessionId;
  readonly label: string;
  typedAt: number;
}

/** Counts the calls that are under way, so that the clock stands still while anything is sent. */
class CallCount {
  underWay = 0;
  /** How many updates got their response. */
  responses = 0;

  watch(channel: Channel): Channel {
    const call = async (name: string | symbol, made: Promise<unknown>): Promise<unknown> => {
      this.underWay += 1;
      return made.finally(() => {
        this.underWay -= 1;
        if (name === "respond") this.responses += 1;
      });
    };
    return new Proxy(channel, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...given: unknown[]): unknown => {
          const made: unknown = Reflect.apply(value, target, given);
          return CALLS.has(name) ? call(name, made as Promise<unknown>) : made;
        };
      },
    });
  }
}

const CALLS: ReadonlySet<string | symbol> = new Set(["deliver", "settle", "respond", "closeThread"]);

export class RecordedDay {
  readonly #rig: Rig;
  readonly #telegram: TelegramEmulator;
  readonly #calls: CallCount;
  readonly #terminals: Terminal[] = [];
  /** Each message as it came. */
  readonly #seen = new Map<number, Message>();
  #prompts = 0;
  #promptsAtKeyboard = 0;
  #turnsAtKeyboard = 0;
  #tasks = 0;
  #ends = 0;
  #rangAtKeyboard = 0;
  /** The terminal at which the reader looks. */
  #lookedAt: Terminal | null = null;
  #toldBesideTerminal = 0;

  private constructor(rig: Rig, telegram: TelegramEmulator, calls: CallCount) {
    this.#rig = rig;
    this.#telegram = telegram;
    this.#calls = calls;
  }

  /** With the configuration's own defaults. */
  static async open(): Promise<RecordedDay> {
    const telegram = await startTelegram({ rate: null });
    telegram.user(PHONE, "Ara");
    const { prompts, conversation } = v.parse(buildConfigSchema({}), {}) as unknown as Pick<
      LedgerSettings,
      "prompts" | "conversation"
    >;
    const people = [{ name: "Ara", identities: [`telegram:${PHONE}`], role: "approver" }] as const;
    const settings = { ...SETTINGS, people, prompts, conversation };
    const rig = await makeRig({ settings, started: false, unopened: true });
    const calls = new CallCount();
    const channel = calls.watch(makeChannel(telegram, rig.core, rig.clock));
    const { capabilities } = telegramPlugin.manifest;
    await rig.core.useChannels([{ id: "telegram", capabilities, places: [String(PHONE)], channel }]);
    await rig.core.start();
    onTestFinished(async () => {
      await rig.core.stop();
      await telegram.stop();
    });
    return new RecordedDay(rig, telegram, calls);
  }

  /** Twelve turns at the keyboard, then fourteen tasks and a script from the phone. */
  async run(): Promise<void> {
    const [api, web] = [await this.#open("api", "claude"), await this.#open("web", "codex")];
    for (let turn = 1; turn <= 12; turn += 1)
      await this.#workAtKeyboard(turn % 2 === 0 ? api : web, turn === 12 ? 2 : 1);
    this.#lookedAt = null;
    await this.#pass(10 * MINUTE);
    for (let task = 1; task <= 14; task += 1) await this.#workByPhone(task % 2 === 0 ? api : web, task);
    const script = await this.#open("asks", "bash", false);
    for (let prompt = 1; prompt <= 7; prompt += 1) await this.#askByPhone(script, prompt);
    await this.#close(script, { exitCode: 0, signal: null });
    await this.#type(api, 2 * SECOND);
    await this.#close(api, { exitCode: null, signal: "SIGINT" });
    await this.#pass(10 * MINUTE);
  }

  count(): PhoneCount {
    const posts = [...this.#seen.values()];
    const cards = posts.filter(isCard);
    const idle = posts.filter(({ text }) => /^[💤💬]/u.test(text));
    return {
      prompts: this.#prompts,
      promptsAtKeyboard: this.#promptsAtKeyboard,
      turnsAtKeyboard: this.#turnsAtKeyboard,
      tasks: this.#tasks,
      ends: this.#ends,
      messages: posts.length,
      cards: cards.length,
      idle: idle.length,
      askNothing: posts.length - cards.length - idle.length + this.#toldBesideTerminal,
      rings: posts.filter(({ silent }) => !silent).length,
      rangAtKeyboard: this.#rangAtKeyboard,
    };
  }

  get #posts(): readonly Message[] {
    return this.#telegram.posts(PHONE);
  }

  async #open(label: string, tool: string, chatTurns = true): Promise<Terminal> {
    const n = String(this.#terminals.length + 1).padStart(12, "0");
    const sessionId = asId<SessionId>(`55555555-5555-4555-8555-${n}`);
    const { clock, core } = this.#rig;
    const capabilities = { chatTurns, screenView: true };
    const opened = { sessionId, label, tool, capabilities, startedAt: clock.now() };
    await core.handlers["session.open"](sessionParams(opened), { sessionId: null });
    core.connected(sessionId, new FakeLink());
    const terminal = { sessionId, label, typedAt: clock.now() };
    this.#terminals.push(terminal);
    // It draws itself, and its trust dialog is answered at the keyboard.
    await this.#state(terminal, "working");
    if (chatTurns) await this.#type(terminal, SECOND);
    await this.#state(terminal, "idle");
    await this.#pass(20 * SECOND);
    return terminal;
  }

  async #workAtKeyboard(terminal: Terminal, prompts: number): Promise<void> {
    this.#turnsAtKeyboard += 1;
    this.#lookedAt = terminal;
    await this.#type(terminal, 10 * SECOND);
    await this.#state(terminal, "working");
    for (let asked = 0; asked < prompts; asked += 1) {
      const event = await this.#ask(terminal);
      this.#promptsAtKeyboard += 1;
      // Answered after a second and a half.
      await this.#pass(SECOND);
      await this.#type(terminal, SECOND);
      const { promptId } = event;
      const withdrawn = { promptId, reason: "answered_locally" as const };
      await this.#rig.core.handlers["prompt.withdraw"](withdrawn, { sessionId: terminal.sessionId });
    }
    await this.#endTurn(terminal, `Turn ${this.#turnsAtKeyboard}`);
    // Reads what was done, now and then for longer than a message is held back.
    await this.#pass(READ_MS[this.#turnsAtKeyboard % READ_MS.length]!);
  }

  async #workByPhone(terminal: Terminal, task: number): Promise<void> {
    this.#tasks += 1;
    const last = this.#posts.findLast(({ text }) => text.startsWith(`💤 ${terminal.label} `));
    // Every other task is a reply to the end of the turn before.
    if (last && task > 2 && task % 4 < 2) await this.#write("fix the next test", last.id);
    else await this.#write(`task ${terminal.label} fix the tests`);
    await this.#state(terminal, "working");
    for (let asked = 0; asked < 2; asked += 1) await this.#askByPhone(terminal, this.#prompts);
    await this.#endTurn(terminal, `Task ${task}`);
    await this.#pass(2 * MINUTE);
  }

  /** Every fifth is answered in words. */
  async #askByPhone(terminal: Terminal, nth: number): Promise<void> {
    const { promptId, fingerprint } = await this.#ask(terminal);
    await this.#pass(40 * SECOND);
    const card = this.#posts.findLast(isCard)!;
    if (nth % 5 === 0) await this.#write("3", card.id);
    else await this.#answered(() => void this.#telegram.user(PHONE, "Ara").press(card.id, 0));
    const { core, store } = this.#rig;
    const replyId = store.prompts.find(promptId)?.replyId ?? "";
    const caller = { sessionId: terminal.sessionId };
    await core.handlers["injection.begin"]({ promptId, replyId, route: "keys", fingerprint }, caller);
    await core.handlers["injection.end"]({ promptId, replyId, receipt: RECEIPT }, caller);
    await this.#settle();
  }

  async #ask({ sessionId }: Terminal): Promise<PromptEvent> {
    await this.#pass(15 * SECOND);
    this.#prompts += 1;
    const idempotencyKey = asId<IdempotencyKey>(String(this.#prompts).padStart(64, "b"));
    const event = makeEvent(100 + this.#prompts, { sessionId, idempotencyKey });
    await this.#rig.core.handlers["prompt.raise"](event as never, { sessionId });
    await this.#settle();
    return event;
  }

  async #endTurn(terminal: Terminal, what: string): Promise<void> {
    await this.#pass(10 * SECOND);
    await this.#state(terminal, "idle", `${what} of ${terminal.label} is done.`);
  }

  async #close(
    { sessionId }: Terminal,
    how: { readonly exitCode: number | null; readonly signal: string | null },
  ): Promise<void> {
    this.#ends += 1;
    await this.#rig.core.handlers["session.close"]({ sessionId, ...how }, { sessionId });
    await this.#pass(2 * MINUTE);
  }

  async #state({ sessionId }: Terminal, state: ToolState, said?: string): Promise<void> {
    const params = { sessionId, state, ...(said === undefined ? {} : { said }) };
    await this.#rig.core.handlers["session.state"](params, { sessionId });
    await this.#settle();
  }

  /** A key each second. */
  async #type(terminal: Terminal, ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += SECOND) {
      terminal.typedAt = this.#rig.clock.now();
      await this.#rig.core.handlers["session.typed"]({ agoMs: 0 }, { sessionId: terminal.sessionId });
      await this.#pass(SECOND);
    }
  }

  #write(text: string, replyTo?: number): Promise<void> {
    const options = replyTo === undefined ? {} : { replyTo };
    return this.#answered(() => void this.#telegram.user(PHONE, "Ara").send(text, options));
  }

  /** Until the hub has responded to what the person does on the phone. */
  async #answered(act: () => void): Promise<void> {
    const before = this.#calls.responses;
    act();
    while (this.#calls.responses === before) await turns(1);
    await this.#settle();
  }

  async #pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += SECOND) {
      this.#rig.clock.advance(SECOND);
      await this.#settle();
    }
  }

  async #settle(): Promise<void> {
    do await turns(3);
    while (this.#calls.underWay > 0);
    this.#look();
  }

  /** Each new message that rings: does its reader sit at the keyboard of any session? */
  #look(): void {
    const ago = this.#rig.clock.now() - Math.max(...this.#terminals.map(({ typedAt }) => typedAt));
    for (const post of this.#posts.filter(({ id }) => !this.#seen.has(id))) {
      this.#seen.set(post.id, post);
      if (!post.silent && ago < AT_KEYBOARD_MS) this.#rangAtKeyboard += 1;
      if (this.#lookedAt !== null && post.text.startsWith(`💤 ${this.#lookedAt.label} `))
        this.#toldBesideTerminal += 1;
    }
  }
}

/** Only cards and settled cards end their second line with a short id. */
function isCard({ text, entities }: Message): boolean {
  return entities.some(({ type, offset, length }) => {
    const [before, after] = [text.slice(offset - 3, offset), text.charAt(offset + length)];
    return type === "code" && length <= 4 && before === " · " && (after === "\n" || after === "");
  });
}

/** Messages say the day's time. Limits on calls are those of the machine. */
function makeChannel(telegram: TelegramEmulator, core: Hub, clock: ManualClock): Channel {
  const mixed: Clock = {
    now: () => clock.now(),
    monotonic: () => systemClock.monotonic(),
    sinceBoot: () => systemClock.sinceBoot(),
    after: (ms, callback) => systemClock.after(ms, callback),
  };
  const host = {
    clock: mixed,
    random: () => 0.5,
    ...core.createChannelHost("telegram"),
    report: () => undefined,
    log: () => undefined,
    broadcast: () => undefined,
  };
  const { token, apiRoot } = telegram;
  return createTelegram({ token, api_root: apiRoot, deliver_to: [PHONE] }, host, TIMING);
}
