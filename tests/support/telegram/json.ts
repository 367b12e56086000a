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
  if (chat?.type === "private") return { id, type: "private", first_name: chat.title };
  return { id, type: "supergroup", title: chat?.title ?? "", ...(chat?.forum ? { is_forum: true } : {}) };
}

/** `people` names the senders who are not the bot. */
export function messageJson(
  bot: Bot,
  chats: Chats,
  message: Message,
  people: ReadonlyMap<number, Person> = new Map(),
): Record<string, unknown> {
  const topic = findTopic(chats, message);
  // In a topic every message that answers nothing "answers" the one that opened it.
  const target = chats.find(message.chatId, message.replyTo ?? topic ?? 0);
  return {
    message_id: message.id,
    from: message.from === bot.id ? bot : people.get(message.from),
    chat: chatJson(chats, message.chatId),
    date: message.date,
    ...(message.threadId === null ? {} : { message_thread_id: message.threadId }),
    ...(topic === null ? {} : { is_topic_message: true }),
    ...openedTopic(chats, message),
    ...(message.edits > 0 ? { edit_date: message.date } : {}),
    ...(message.document ? documentJson(message) : message.photo ? photoJson(message) : textJson(message)),
    ...(message.buttons.length > 0 ? { reply_markup: markupJson(message) } : {}),
    // A message inside a reply never carries a reply of its own.
    ...(target ? { reply_to_message: repliedJson(bot, chats, target, people) } : {}),
  };
}

function repliedJson(
  bot: Bot,
  chats: Chats,
  target: Message,
  people: ReadonlyMap<number, Person>,
): Record<string, unknown> {
  const json = messageJson(bot, chats, { ...target, replyTo: null }, people);
  return { ...json, reply_to_message: undefined };
}

/** The topic that a message stands in, or null. */
function findTopic(chats: Chats, { chatId, threadId, id }: Message): number | null {
  const inTopic = threadId !== null && threadId !== id && chats.get(chatId)?.topics.has(threadId);
  return inTopic ? threadId : null;
}

function openedTopic(chats: Chats, { chatId, id }: Message): Record<string, unknown> {
  const opened = chats.get(chatId)?.topics.get(id);
  return opened ? { forum_topic_created: { name: opened.name, icon_color: 7322096 } } : {};
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

function photoJson({ photo, text }: Message): Record<string, unknown> {
  const size = photo?.data.length ?? 0;
  return {
    photo: [{ file_id: `photo-${size}`, file_unique_id: `p${size}`, file_size: size }],
    ...(text === "" ? {} : { caption: text }),
  };
}

function markupJson({ buttons }: Message): Record<string, unknown> {
  return {
    inline_keyboard: buttons.map((row) => row.map(({ text, data }) => ({ text, callback_data: data }))),
  };
}
