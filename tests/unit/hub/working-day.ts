/**
 * A working day as a script on a manual clock: three sessions, ten turns with four prompts each, every other turn at the keyboard.
 * It counts what reaches the phone.
 */
import * as v from "valibot";
import { buildConfigSchema } from "../../../src/config/schema.js";
import { asId, type Identity, type IdempotencyKey, type SessionId } from "../../../src/model/ids.js";
import type { ActivePolicy } from "../../../src/hub/policy/verdict.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { ToolState } from "../../../src/model/tool-state.js";
import { turns, type Message } from "./fake-channel.js";
import { ARA, makeEvent, FakeLink, makeRig, RECEIPT, sessionParams, SETTINGS, type Rig } from "./rig.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A message that comes so soon after a key rings beside the person who typed it. */
const AT_KEYBOARD_MS = 30 * SECOND;

export interface DayCount {
  /** Prompts that a person had to answer, on the phone or at the keyboard. */
  readonly asked: number;
  /** Every message in the chat, answers to commands included. */
  readonly messages: number;
  readonly cards: number;
  readonly reminders: number;
  /** Ends of turns: they ask for the next task. */
  readonly idle: number;
  /** Texts that nobody requested and that ask nothing of anybody. */
  readonly aside: number;
  /** Texts that the person requested with a command. */
  readonly requested: number;
  /** Messages that rang within half a minute of a key at the same terminal. */
  readonly rangAtKeyboard: number;
}

interface Terminal {
  readonly sessionId: SessionId;
  readonly label: string;
  readonly link: FakeLink;
  typedAt: number;
}

/** One day with the configuration's own defaults. `requests`: what its forty prompts ask for; without it always the same. */
export async function runWorkingDay(
  requests: readonly PromptEvent[] = [],
  policy?: () => ActivePolicy,
): Promise<DayCount> {
  const rig = await makeRig({ settings: buildDefaultSettings(), ...(policy && { policy }) });
  const day = new WorkingDay(rig, requests);
  await day.run();
  return day.count();
}

function buildDefaultSettings(): typeof SETTINGS {
  const defaults = v.parse(buildConfigSchema({}), {});
  const { prompts, conversation } = defaults as unknown as typeof SETTINGS;
  return { ...SETTINGS, people: [ARA], prompts, conversation };
}

class WorkingDay {
  readonly #rig: Rig;
  readonly #terminals: Terminal[] = [];
  readonly #seen = new Set<Message>();
  readonly #requests: readonly PromptEvent[];
  #prompts = 0;
  #asked = 0;
  #rangAtKeyboard = 0;

  constructor(rig: Rig, requests: readonly PromptEvent[]) {
    this.#rig = rig;
    this.#requests = requests;
  }

  async run(): Promise<void> {
    const [api, web] = [await this.#open("api"), await this.#open("web")];
    for (let turn = 0; turn < 4; turn += 1) {
      await this.#work(api, turn % 2 === 0, turn);
      await this.#work(web, turn % 2 === 1, turn);
      await this.#pass(10 * MINUTE);
    }
    await this.#close(api, true);
    const quick = await this.#open("quick");
    await this.#work(quick, true, 8);
    await this.#work(quick, false, 9);
    await this.#close(quick, true);
    await this.#close(web, false);
  }

  count(): DayCount {
    const { messages, answers } = this.#rig.chat;
    const texts = messages.filter(({ notice }) => notice.kind === "text");
    const listTexts = (pattern: RegExp) =>
      texts.filter(({ notice }) => notice.kind === "text" && pattern.test(notice.text)).length;
    const told = answers.filter(
      ({ raw, answer }) => (raw as { kind: string }).kind === "text" && answer.text,
    );
    const [reminders, idle] = [listTexts(/^⏰/), listTexts(/^[💤💬]/u)];
    return {
      asked: this.#asked,
      messages: messages.length + told.length,
      cards: messages.length - texts.length,
      reminders,
      idle,
      aside: listTexts(/^⏹/),
      requested: listTexts(/^(?:🖥|⏳)/u) + told.length,
      rangAtKeyboard: this.#rangAtKeyboard,
    };
  }

  async #open(label: string): Promise<Terminal> {
    const n = String(this.#terminals.length + 1).padStart(12, "0");
    const sessionId = asId<SessionId>(`55555555-5555-4555-8555-${n}`);
    const link = new FakeLink();
    const { clock, core } = this.#rig;
    await core.handlers["session.open"](sessionParams({ sessionId, label, startedAt: clock.now() }), {
      sessionId: null,
    });
    core.connected(sessionId, link);
    const terminal = { sessionId, label, link, typedAt: -Infinity };
    this.#terminals.push(terminal);
    // The command that started it was typed there, and the tool draws itself before it is idle.
    await this.#state(terminal, "working");
    await this.#pass(2 * SECOND);
    await this.#state(terminal, "idle");
    await this.#pass(MINUTE);
    return terminal;
  }

  async #work(terminal: Terminal, atKeyboard: boolean, turn: number): Promise<void> {
    if (atKeyboard) await this.#type(terminal, 10 * SECOND);
    await this.#state(terminal, "working");
    for (let asked = 0; asked < 4; asked += 1) await this.#ask(terminal, atKeyboard, asked);
    await this.#pass(15 * SECOND);
    await this.#state(terminal, "idle", `Turn ${turn} of ${terminal.label} is done.`);
    // Reads what was done, now and then for longer than a message is held back.
    await this.#pass(turn % 3 === 0 ? MINUTE : 20 * SECOND);
    if (atKeyboard) await this.#type(terminal, 5 * SECOND);
    else if (turn % 4 === 1) await this.#say("screen " + terminal.label);
  }

  async #ask(terminal: Terminal, atKeyboard: boolean, asked: number): Promise<void> {
    const { core, chat } = this.#rig;
    await this.#pass(20 * SECOND);
    if (atKeyboard) await this.#type(terminal, 2 * SECOND);
    const caller = { sessionId: terminal.sessionId };
    const event = this.#makeEvent(terminal);
    await core.handlers["prompt.raise"](event as never, caller);
    await this.#settle();
    const isAnswered = this.#rig.store.prompts.find(event.promptId)?.state !== "pending";
    if (isAnswered) return this.#inject(event, caller);
    this.#asked += 1;
    if (atKeyboard) {
      await this.#pass(6 * SECOND);
      await this.#type(terminal, SECOND);
      const reason = "answered_locally" as const;
      await core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason }, caller);
      return this.#settle();
    }
    // Of four prompts one waits for longer than until the first reminder.
    await this.#pass(asked === 0 ? 6 * MINUTE : 40 * SECOND);
    await chat.tap(chat.cards().at(-1)!, "1");
    await this.#inject(event, caller);
  }

  async #inject(
    { promptId, fingerprint }: PromptEvent,
    caller: { readonly sessionId: SessionId },
  ): Promise<void> {
    const { core } = this.#rig;
    const replyId = this.#rig.store.prompts.find(promptId)?.replyId ?? "";
    await core.handlers["injection.begin"]({ promptId, replyId, route: "keys", fingerprint }, caller);
    await core.handlers["injection.end"]({ promptId, replyId, receipt: RECEIPT }, caller);
    await this.#settle();
  }

  #makeEvent({ sessionId }: Terminal): PromptEvent {
    this.#prompts += 1;
    const idempotencyKey = asId<IdempotencyKey>(String(this.#prompts).padStart(64, "b"));
    const ids = makeEvent(100 + this.#prompts, { sessionId, idempotencyKey });
    const request = this.#requests[this.#prompts - 1];
    if (request === undefined) return ids;
    const { promptId } = ids;
    return { ...request, promptId, sessionId, idempotencyKey };
  }

  async #close({ sessionId }: Terminal, atKeyboard: boolean): Promise<void> {
    const terminal = this.#terminals.find((known) => known.sessionId === sessionId)!;
    if (atKeyboard) await this.#type(terminal, 2 * SECOND);
    await this.#rig.core.handlers["session.close"]({ sessionId, exitCode: 0, signal: null }, { sessionId });
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

  async #say(text: string): Promise<void> {
    await this.#rig.chat.text(text, { identity: asId<Identity>("chat:1") });
    await this.#settle();
  }

  async #pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += SECOND) {
      this.#rig.clock.advance(SECOND);
      await turns(1);
      this.#look();
    }
  }

  async #settle(): Promise<void> {
    await turns(4);
    this.#look();
  }

  /** Each new message: does its reader sit at the keyboard of that session? */
  #look(): void {
    for (const message of this.#rig.chat.messages) {
      if (this.#seen.has(message)) continue;
      this.#seen.add(message);
      const { session, quiet } = message.notice;
      const terminal = this.#terminals.find(({ sessionId }) => sessionId === session.sessionId);
      const ago = this.#rig.clock.now() - (terminal?.typedAt ?? -Infinity);
      if (!quiet && ago < AT_KEYBOARD_MS) this.#rangAtKeyboard += 1;
    }
  }
}
