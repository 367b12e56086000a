/** Chats, messages and people, as the service keeps them. */
import type { UploadedFile } from "./body.js";
import type { Refusal } from "./refusal.js";
import { badRequest } from "./refusal.js";
import type { FormattedText } from "./text.js";
import type { Entity } from "./html.js";

export interface Button {
  readonly text: string;
  readonly data: string;
}

/** A message as a test looks at it. */
export interface Message {
  readonly id: number;
  readonly chatId: number;
  /** User id; the bot's own id for its messages. */
  readonly from: number;
  readonly text: string;
  readonly entities: readonly Entity[];
  /** One row of buttons each. */
  readonly buttons: readonly (readonly Button[])[];
  readonly document: UploadedFile | null;
  readonly photo: UploadedFile | null;
  /** The bot's reaction to somebody's message. */
  readonly reaction: string | null;
  readonly replyTo: number | null;
  readonly threadId: number | null;
  readonly edits: number;
  readonly silent: boolean;
  /** Seconds. */
  readonly date: number;
  /** A force-reply or custom keyboard hangs on it: it can never be edited. */
  readonly locked: boolean;
}

export interface Chat {
  readonly id: number;
  readonly type: "private" | "supergroup";
  readonly title: string;
  /** With the bot. */
  members: number;
  /** Has topics. */
  readonly forum: boolean;
  /** Whether the bot may open and close topics. */
  topicRights: boolean;
  /** Whether the bot may delete what others wrote. */
  deleteRights: boolean;
  readonly topics: Map<number, Topic>;
  /** Refuses everything the bot sends there. */
  closed: Refusal | null;
}

export interface Topic {
  readonly name: string;
  closed: boolean;
}

export class Chats {
  readonly #chats = new Map<number, Chat>();
  readonly #messages: Message[] = [];
  #nextId = 1;

  open(id: number, type: Chat["type"], title: string, forum = false): Chat {
    const fresh = {
      id,
      type,
      title,
      members: 2,
      forum,
      topicRights: true,
      deleteRights: false,
      topics: new Map<number, Topic>(),
      closed: null,
    };
    const chat: Chat = this.#chats.get(id) ?? fresh;
    this.#chats.set(id, chat);
    return chat;
  }

  /** The chat, if the bot may write there. */
  writable(id: unknown): Chat {
    if (id === undefined || id === "") throw badRequest("chat_id is empty");
    const chat = this.#chats.get(Number(id));
    if (!chat) throw badRequest("chat not found");
    if (chat.closed) throw chat.closed;
    return chat;
  }

  get(id: number): Chat | undefined {
    return this.#chats.get(id);
  }

  /** Opens a topic; its id is that of the service message that opens it. */
  addTopic(chat: Chat, name: string, root: Omit<Message, "id" | "edits" | "date">): number {
    const { id } = this.add(root);
    chat.topics.set(id, { name, closed: false });
    return id;
  }

  add(message: Omit<Message, "id" | "edits" | "date">): Message {
    const added = { ...message, id: this.#nextId++, edits: 0, date: Math.floor(Date.now() / 1000) };
    this.#messages.push(added);
    return added;
  }

  find(chatId: number, id: number): Message | undefined {
    return this.#messages.find((message) => message.chatId === chatId && message.id === id);
  }

  replace(message: Message): Message {
    const at = this.#messages.findIndex((old) => old.chatId === message.chatId && old.id === message.id);
    this.#messages[at] = message;
    return message;
  }

  remove(chatId: number, id: number): void {
    const at = this.#messages.findIndex((message) => message.chatId === chatId && message.id === id);
    if (at >= 0) this.#messages.splice(at, 1);
  }

  of(chatId: number): readonly Message[] {
    return this.#messages.filter((message) => message.chatId === chatId);
  }

  get all(): readonly Message[] {
    return this.#messages;
  }
}

export function sameContent(message: Message, next: FormattedText, buttons: Message["buttons"]): boolean {
  return (
    message.text === next.text &&
    JSON.stringify(message.entities) === JSON.stringify(next.entities) &&
    JSON.stringify(message.buttons) === JSON.stringify(buttons)
  );
}
