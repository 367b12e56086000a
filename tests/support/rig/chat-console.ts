/**
 * A session's console as a person uses it from a chat. In Telegram each command is a reply to the message that the console is open, in
 * Slack a mention of the app in the thread of that message.
 */
import { eventually } from "../hub-home.js";
import { readable } from "../slack/conversations.js";
import type { Message as SlackMessage } from "../slack/emulator.js";
import type { GatewayTiming } from "../slack/gateway.js";
import { isJson, readList } from "../slack/json.js";
import type { Message } from "../telegram/emulator.js";
import { type Rig, withRig } from "./rig.js";
import type { Run } from "./run.js";
import { type SlackDesk, withSlack } from "./slack-desk.js";

const WAIT_MS = 30_000;

interface Post {
  readonly text: string;
  /** What of it is shown in fixed width, or null. */
  readonly block: string | null;
}

/** One chat with one session's console in it. */
interface Chat {
  /** What the app wrote, without files, in order. */
  readonly posts: () => readonly Post[];
  /** The first file of that name. */
  readonly file: (name: string) => Promise<Buffer>;
  readonly write: (text: string) => void;
  readonly waitFor: <T>(
    probe: () => T | null | undefined | false,
    what: () => string,
    timeoutMs: number,
  ) => Promise<T>;
}

export class ChatConsole {
  readonly run: Run;
  readonly #chat: Chat;
  #seen = 0;

  constructor(run: Run, chat: Chat) {
    this.run = run;
    this.#chat = chat;
  }

  /** Starts the program with its console, and waits until Telegram was told. */
  static async open(rig: Rig, label: string, ...command: string[]): Promise<ChatConsole> {
    const opened = await ChatConsole.#open(rig, openTelegram(rig, label), label, command);
    // A reply to a message of which the hub does not know yet that it came is a reply to nothing.
    const find = (): Message | undefined =>
      rig.telegram.posts(rig.phone.user.id).find(({ text }) => isOpening(text, label));
    await eventually(() => rig.isPosted(find()?.id ?? 0));
    return opened;
  }

  /** The same in Slack. */
  static openInSlack(rig: Rig, desk: SlackDesk, label: string, ...command: string[]): Promise<ChatConsole> {
    return ChatConsole.#open(rig, openSlack(desk, label), label, command);
  }

  static async #open(rig: Rig, chat: Chat, label: string, command: readonly string[]): Promise<ChatConsole> {
    const opened = new ChatConsole(rig.run(command, { label, flags: ["--console"] }), chat);
    await opened.next(/its console is open/);
    return opened;
  }

  async say(text: string, expected: RegExp = /./): Promise<string> {
    this.send(text);
    return this.next(expected);
  }

  send(text: string): void {
    this.#chat.write(text);
  }

  /** The next message that matches; those before it are passed over. */
  next(expected: RegExp): Promise<string> {
    const find = (): string | undefined => {
      const { texts } = this;
      const at = texts.findIndex((text, index) => index >= this.#seen && expected.test(text));
      if (at < 0) return undefined;
      this.#seen = at + 1;
      return texts[at];
    };
    return this.until(find, String(expected));
  }

  until<T>(probe: () => T | null | undefined | false, what: string): Promise<T> {
    const shown = (): string =>
      `${what}; the chat has\n${this.texts.join("\n--\n")}\nand the terminal\n${this.run.text.slice(-2000)}`;
    return this.#chat.waitFor(probe, shown, WAIT_MS);
  }

  /** All that the app wrote in the chat, as it reads now. */
  get texts(): readonly string[] {
    return this.#chat.posts().map(({ text }) => text);
  }

  /** What the newest message shows in fixed width. */
  get newestBlock(): string | null {
    return this.#chat.posts().at(-1)?.block ?? null;
  }

  file(name: string): Promise<Buffer> {
    return this.#chat.file(name);
  }
}

function isOpening(text: string, label: string): boolean {
  return text.includes(`(${label}): its console is open`);
}

function openTelegram({ telegram, phone }: Rig, label: string): Chat {
  const { user } = phone;
  const messages = (): readonly Message[] => telegram.posts(user.id).filter(({ document }) => !document);
  return {
    posts: () => messages().map((message) => ({ text: message.text, block: findBlock(message) })),
    file: (name) => phone.file(name),
    write: (text) => {
      const opening = messages().find((message) => isOpening(message.text, label));
      user.send(text, opening ? { replyTo: opening.id } : {});
    },
    waitFor: (probe, what, timeoutMs) => telegram.waitFor(probe, what, timeoutMs),
  };
}

function findBlock({ text, entities }: Message): string | null {
  const block = entities.find(({ type }) => type === "pre");
  return block ? text.slice(block.offset, block.offset + block.length) : null;
}

function openSlack(desk: SlackDesk, label: string): Chat {
  const { slack, ara, place } = desk;
  const messages = (): readonly SlackMessage[] => slack.posts(place);
  return {
    posts: () => messages().map(({ blocks }) => ({ text: readTextOf(blocks), block: findFixed(blocks) })),
    file: (name) => desk.file(name),
    write: (text) => {
      const opening = messages().find(({ blocks }) => isOpening(readable(blocks), label));
      if (opening) ara.mention(place, text, { threadTs: opening.threadTs ?? opening.ts });
      else ara.mention(place, text);
    },
    waitFor: (probe, what, timeoutMs) => slack.waitFor(probe, what, timeoutMs),
  };
}

function readTextOf(blocks: SlackMessage["blocks"]): string {
  return readable(blocks.filter(({ type }) => type !== "actions"));
}

function findFixed(blocks: SlackMessage["blocks"]): string | null {
  const parts = blocks.flatMap(({ elements }) => readList(elements).filter(isJson));
  const fixed = parts.find(({ type }) => type === "rich_text_preformatted");
  return fixed ? readable([{ type: "rich_text", elements: [fixed] }]) : null;
}

export const CHATS = ["Telegram", "Slack"] as const;

export interface OpenChat {
  readonly rig: Rig;
  /** Null in Telegram. */
  readonly desk: SlackDesk | null;
  readonly open: (label: string, ...command: string[]) => Promise<ChatConsole>;
  /** Taps the nth answer (1-based) of that session's card. Resolves with the card's first line once it has its outcome. */
  readonly tap: (label: string, nth: number) => Promise<string>;
}

/** Gives a test a rig whose person uses that chat, and takes it away whatever happens. `timing` is Slack's. */
export function withChat(
  where: (typeof CHATS)[number],
  work: (chat: OpenChat) => Promise<void>,
  timing: Partial<GatewayTiming> = {},
): Promise<void> {
  return where === "Telegram"
    ? withRig((rig) => work(useTelegram(rig)))
    : withSlack((rig, desk) => work(useSlack(rig, desk)), { timing });
}

function useTelegram(rig: Rig): OpenChat {
  return {
    rig,
    desk: null,
    open: (...args) => ChatConsole.open(rig, ...args),
    tap: async (label, nth) => {
      const card = await rig.phone.card(label);
      await card.press(nth);
      return card.settled();
    },
  };
}

function useSlack(rig: Rig, desk: SlackDesk): OpenChat {
  return {
    rig,
    desk,
    open: async (...args) => {
      const opened = await ChatConsole.openInSlack(rig, desk, ...args);
      await desk.connected();
      return opened;
    },
    tap: async (label, nth) => {
      const card = await desk.card(label);
      await desk.press(card, nth - 1);
      return desk.shows(card, OUTCOME);
    },
  };
}

const OUTCOME = /confirmed|taken/;
