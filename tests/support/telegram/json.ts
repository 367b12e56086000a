/** Objects of the Bot API as they travel. */
import type { Chats, Message } from "./chats.js";

export interface Bot {
  readonly id: number;
  readonly is_bot: true;
  readonly first_name: string;
  readonly username: string;
}

export interface Person {
  readonly id: number;
  readonly is_bot: boolean;
  readonly first_name: string;
  readonly username?: string;
}

export function chatJson(chats: Chats, id: number): Record<string, unknown> {
  const chat = chats.get(id);
  return chat?.type === "private"
    ? { id, type: "private", first_name: chat.title }
    : { id, type: "supergroup", title: chat?.title ?? "" };
}

/** `people` names the senders who are not the bot. */
export function messageJson(
  bot: Bot,
  chats: Chats,
  message: Message,
  people: ReadonlyMap<number, Person> = new Map(),
): Record<string, unknown> {
  const target = message.replyTo === null ? undefined : chats.find(message.chatId, message.replyTo);
  return {
    message_id: message.id,
    from: message.from === bot.id ? bot : people.get(message.from),
    chat: chatJson(chats, message.chatId),
    date: message.date,
    ...(message.threadId === null ? {} : { message_thread_id: message.threadId }),
    ...(message.edits > 0 ? { edit_date: message.date } : {}),
    ...(message.document ? documentJson(message) : textJson(message)),
    ...(message.buttons.length > 0 ? { reply_markup: markupJson(message) } : {}),
    // A message inside a reply never carries a reply of its own.
    ...(target ? { reply_to_message: messageJson(bot, chats, { ...target, replyTo: null }, people) } : {}),
  };
}

function textJson({ text, entities }: Message): Record<string, unknown> {
  return { text, ...(entities.length > 0 ? { entities } : {}) };
}

function documentJson({ document, text }: Message): Record<string, unknown> {
  const size = document?.data.length ?? 0;
  return {
    document: {
      file_id: `file-${size}`,
      file_unique_id: `f${size}`,
      file_name: document?.name,
      file_size: size,
    },
    ...(text === "" ? {} : { caption: text }),
  };
}

function markupJson({ buttons }: Message): Record<string, unknown> {
  return {
    inline_keyboard: buttons.map((row) => row.map(({ text, data }) => ({ text, callback_data: data }))),
  };
}
