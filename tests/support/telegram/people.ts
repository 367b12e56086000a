/** People with phones: they tap, write, reply, edit and block. */
import type { CallbackAnswer } from "./queries.js";
import { chatJson, messageJson, type Person } from "./json.js";
import type { World } from "./methods.js";
import type { Message } from "./chats.js";

/** What a person needs of the emulator. */
export interface Stage {
  readonly world: World;
  readonly people: Map<number, Person>;
  changed(): void;
  waitFor<T>(probe: () => T | null | undefined | false, what: string): Promise<T>;
}

/** One press of a button; the spinner turns until it is answered. */
export interface Tap {
  readonly id: string;
  readonly updateId: number | null;
  answered(): Promise<CallbackAnswer>;
}

export interface SendOptions {
  readonly replyTo?: number;
  /** Default: the private chat with the bot. */
  readonly chat?: number;
  readonly threadId?: number;
  /** Fields laid over the message, for forwards, topics and the like. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export class User {
  readonly id: number;
  readonly #stage: Stage;

  constructor(stage: Stage, id: number) {
    this.#stage = stage;
    this.id = id;
  }

  /** Presses the button in this row of a message (0-based). Throws when there is none to be seen. */
  press(messageId: number, row: number, chat: number = this.id): Tap {
    const message = this.#stage.world.chats.find(chat, messageId);
    const button = message?.buttons[row]?.[0];
    if (!button) throw new Error(`message ${messageId} shows no button in row ${row}`);
    return this.pressToken(messageId, button.data, chat);
  }

  /** A button that this person still has on the screen, or forged: any data. */
  pressToken(messageId: number, data: string, chat: number = this.id): Tap {
    const { world, people } = this.#stage;
    const id = world.queries.ask();
    const message = world.chats.find(chat, messageId);
    const shown = message
      ? messageJson(world.bot, world.chats, message, people)
      : { chat: chatJson(world.chats, chat), message_id: messageId, date: 0 };
    const query = { id, from: people.get(this.id), message: shown, chat_instance: "1", data };
    const updateId = world.updates.add("callback_query", query);
    this.#stage.changed();
    return {
      id,
      updateId,
      answered: () => this.#stage.waitFor(() => world.queries.findAnswer(id), "the tap to be answered"),
    };
  }

  /** Writes to the bot. Returns the message's id. */
  send(text: string, options: SendOptions = {}): number {
    const { world } = this.#stage;
    const chat = options.chat ?? this.id;
    const message = world.chats.add({
      chatId: chat,
      from: this.id,
      text,
      entities: [],
      buttons: [],
      document: null,
      photo: null,
      reaction: null,
      replyTo: options.replyTo ?? null,
      threadId: options.threadId ?? null,
      silent: false,
      locked: false,
    });
    this.#emit("message", message, options.fields);
    return message.id;
  }

  edit(messageId: number, text: string, chat: number = this.id): void {
    const { chats } = this.#stage.world;
    const old = chats.find(chat, messageId);
    if (!old) throw new Error(`there is no message ${messageId} to edit`);
    this.#emit("edited_message", chats.replace({ ...old, text, edits: old.edits + 1 }));
  }

  #emit(kind: string, message: Message, fields: Readonly<Record<string, unknown>> = {}): void {
    const { world, people } = this.#stage;
    world.updates.add(kind, { ...messageJson(world.bot, world.chats, message, people), ...fields });
    this.#stage.changed();
  }
}
