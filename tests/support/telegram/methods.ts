/** The methods of the Bot API that the emulator has. Each refuses what the real one refuses. */
import type { Parameters, UploadedFile } from "./body.js";
import { sameContent, type Chat, type Chats, type Message } from "./chats.js";
import type { Entity } from "./html.js";
import { parseMarkup } from "./keyboard.js";
import type { RateLimit } from "./rate.js";
import { badRequest } from "./refusal.js";
import type { Queries } from "./queries.js";
import { formatText } from "./text.js";
import type { UpdateQueue } from "./updates.js";
import { chatJson, messageJson, type Bot } from "./json.js";

export interface World {
  readonly bot: Bot;
  readonly chats: Chats;
  readonly updates: UpdateQueue;
  readonly queries: Queries;
  readonly rate: RateLimit;
  commands: unknown;
}

type Run = (world: World, given: Parameters) => unknown;

const CALLBACK_ANSWER_MAX = 200;
const CAPTION_MAX = 1024;
const TOPIC_NAME_MAX = 128;
const POLL_SECONDS_MAX = 50;
const DELETABLE_SECONDS = 48 * 60 * 60;

/** Lower-case names: the service does not care about case. */
export const METHODS: Readonly<Record<string, Run>> = {
  getme: ({ bot }) => ({
    ...bot,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
  }),
  getupdates: ({ updates }, given) =>
    updates.poll({
      offset: readInteger(given["offset"], 0),
      limit: Math.min(100, Math.max(1, readInteger(given["limit"], 100))),
      timeoutMs: 1000 * Math.min(POLL_SECONDS_MAX, Math.max(0, readNumber(given["timeout"], 0))),
      allowed: readList(given["allowed_updates"]),
    }),
  deletewebhook: ({ updates }) => {
    updates.webhook = null;
    return true;
  },
  setmycommands: (world, given) => {
    world.commands = given["commands"];
    return true;
  },
  getchat: ({ chats }, given) => chatJson(chats, chats.writable(given["chat_id"]).id),
  getchatmembercount: ({ chats }, given) => chats.writable(given["chat_id"]).members,
  createforumtopic: createForumTopic,
  closeforumtopic: closeForumTopic,
  sendmessage: sendMessage,
  senddocument: sendDocument,
  sendphoto: sendPhoto,
  setmessagereaction: setMessageReaction,
  editmessagetext: editMessageText,
  editmessagereplymarkup: editMessageReplyMarkup,
  deletemessage: deleteMessage,
  answercallbackquery: answerCallbackQuery,
};

function createForumTopic(world: World, given: Parameters): unknown {
  const chat = managedForum(world, given);
  const name = readText(given["name"]).trim();
  if (name === "") throw badRequest("TOPIC_TITLE_EMPTY");
  if (name.length > TOPIC_NAME_MAX) throw badRequest("TOPIC_TITLE_TOO_LONG");
  const id = world.chats.addTopic(chat, name, blank(world, chat.id, {}));
  return { message_thread_id: id, name, icon_color: 7322096 };
}

function closeForumTopic(world: World, given: Parameters): true {
  const topic = managedForum(world, given).topics.get(readInteger(given["message_thread_id"], 0));
  if (!topic) throw badRequest("message thread not found");
  if (topic.closed) throw badRequest("TOPIC_NOT_MODIFIED");
  topic.closed = true;
  return true;
}

function managedForum(world: World, given: Parameters): Chat {
  const chat = world.chats.writable(given["chat_id"]);
  if (!chat.forum) throw badRequest("the chat is not a forum");
  if (!chat.topicRights) throw badRequest("not enough rights to create a topic");
  return chat;
}

/** The chat, if the bot may write into the topic that is asked for. */
function writable(world: World, given: Parameters): Chat {
  const chat = world.chats.writable(given["chat_id"]);
  const thread = readInteger(given["message_thread_id"], 0);
  if (thread === 0) return chat;
  const topic = chat.topics.get(thread);
  if (!topic) throw badRequest("message thread not found");
  if (topic.closed && !chat.topicRights) throw badRequest("TOPIC_CLOSED");
  return chat;
}

function sendMessage(world: World, given: Parameters): unknown {
  const chat = writable(world, given);
  const source = readText(given["text"]);
  const parseMode = optionalText(given["parse_mode"]);
  const { text, entities } = formatText(source, parseMode, readEntities(given["entities"]));
  const markup = parseMarkup(given["reply_markup"]);
  const replyTo = replyTarget(world, chat.id, given);
  world.rate.spend(chat.id);
  return keep(world, {
    ...blank(world, chat.id, given),
    text,
    entities,
    ...markup,
    replyTo,
  });
}

function sendDocument(world: World, given: Parameters): unknown {
  return sendFile(world, given, "document");
}

function sendPhoto(world: World, given: Parameters): unknown {
  return sendFile(world, given, "photo");
}

function sendFile(world: World, given: Parameters, kind: "document" | "photo"): unknown {
  const chat = writable(world, given);
  const file = given[kind];
  if (!isFile(file)) throw badRequest(`there is no ${kind} in the request`);
  if (file.data.length === 0) throw badRequest("file must be non-empty");
  if (kind === "photo") checkPhoto(file.data);
  const source = readText(given["caption"]);
  const parseMode = optionalText(given["parse_mode"]);
  const caption = source === "" ? { text: "", entities: [] } : formatText(source, parseMode);
  if (caption.text.length > CAPTION_MAX) throw badRequest("message caption is too long");
  const markup = parseMarkup(given["reply_markup"]);
  world.rate.spend(chat.id);
  return keep(world, { ...blank(world, chat.id, given), ...caption, ...markup, [kind]: file });
}

/** "The photo must be at most 10 MB in size. The photo's width and height must not exceed 10000 in total. Width and height ratio must be at most 20." */
function checkPhoto(data: Buffer): void {
  const isPng = data.toString("latin1", 12, 16) === "IHDR";
  if (!isPng) throw badRequest("IMAGE_PROCESS_FAILED");
  const [width, height] = [data.readUInt32BE(16), data.readUInt32BE(20)];
  const isTooLong = width + height > 10_000 || Math.max(width, height) > 20 * Math.min(width, height);
  if (isTooLong) throw badRequest("PHOTO_INVALID_DIMENSIONS");
  if (data.length > 10 * 1024 * 1024) throw badRequest("file is too big");
}

/** Some of the emoji that the service takes. */
const REACTIONS = ["👍", "👎", "👌", "👀", "✍", "🎉"];

function setMessageReaction(world: World, given: Parameters): true {
  const chat = world.chats.writable(given["chat_id"]);
  const message = world.chats.find(chat.id, readInteger(given["message_id"], 0));
  if (!message) throw badRequest("message to react not found");
  const list = given["reaction"];
  const reactions: unknown = typeof list === "string" ? JSON.parse(list) : (list ?? []);
  const [first, ...more] = reactions as { readonly type?: string; readonly emoji?: string }[];
  if (more.length > 0) throw badRequest("REACTIONS_TOO_MANY");
  const emoji = first?.emoji ?? null;
  if (first && (first.type !== "emoji" || !REACTIONS.includes(emoji ?? "")))
    throw badRequest("REACTION_INVALID");
  world.rate.spend(chat.id);
  world.chats.replace({ ...message, reaction: emoji });
  return true;
}

function editMessageText(world: World, given: Parameters): unknown {
  const message = editable(world, given);
  if (message.document ?? message.photo) throw badRequest("there is no text in the message to edit");
  const source = readText(given["text"]);
  const parseMode = optionalText(given["parse_mode"]);
  const next = formatText(source, parseMode, readEntities(given["entities"]));
  const { buttons } = parseMarkup(given["reply_markup"]);
  if (sameContent(message, next, buttons)) throw notModified();
  world.rate.spend(message.chatId);
  return replaced(world, { ...message, ...next, buttons, edits: message.edits + 1 });
}

function editMessageReplyMarkup(world: World, given: Parameters): unknown {
  const message = editable(world, given);
  const { buttons } = parseMarkup(given["reply_markup"]);
  if (sameContent(message, message, buttons)) throw notModified();
  world.rate.spend(message.chatId);
  return replaced(world, { ...message, buttons, edits: message.edits + 1 });
}

/** A bot may delete its own messages everywhere, those of others in private chats and where it is an administrator, for two days. */
function deleteMessage(world: World, given: Parameters): true {
  const chat = world.chats.writable(given["chat_id"]);
  const message = world.chats.find(chat.id, readInteger(given["message_id"], 0));
  if (!message) throw badRequest("message to delete not found");
  const mayDelete = message.from === world.bot.id || chat.type === "private" || chat.deleteRights;
  if (!mayDelete || Date.now() / 1000 - message.date > DELETABLE_SECONDS)
    throw badRequest("message can't be deleted");
  world.chats.remove(chat.id, message.id);
  return true;
}

function answerCallbackQuery({ queries }: World, given: Parameters): true {
  const text = readText(given["text"]);
  if (text.length > CALLBACK_ANSWER_MAX) throw badRequest("MESSAGE_TOO_LONG");
  queries.answer(readText(given["callback_query_id"]), { text, alert: given["show_alert"] === true });
  return true;
}

function editable(world: World, given: Parameters): Message {
  const chat = world.chats.writable(given["chat_id"]);
  const message = world.chats.find(chat.id, readInteger(given["message_id"], 0));
  if (!message) throw badRequest("message to edit not found");
  if (message.from !== world.bot.id || message.locked) throw badRequest("message can't be edited");
  return message;
}

function replyTarget(world: World, chatId: number, given: Parameters): number | null {
  const wanted = given["reply_parameters"] as Record<string, unknown> | undefined;
  if (wanted === undefined) return null;
  const id = readInteger(wanted["message_id"], 0);
  if (world.chats.find(chatId, id)) return id;
  if (wanted["allow_sending_without_reply"] === true) return null;
  throw badRequest("message to be replied not found");
}

function blank({ bot }: World, chatId: number, given: Parameters): Omit<Message, "id" | "edits" | "date"> {
  return {
    chatId,
    from: bot.id,
    text: "",
    entities: [],
    buttons: [],
    document: null,
    photo: null,
    reaction: null,
    replyTo: null,
    threadId: readInteger(given["message_thread_id"], 0) || null,
    silent: given["disable_notification"] === true || given["disable_notification"] === "true",
    locked: false,
  };
}

function keep(world: World, message: Omit<Message, "id" | "edits" | "date">): unknown {
  return messageJson(world.bot, world.chats, world.chats.add(message));
}

function replaced(world: World, message: Message): unknown {
  return messageJson(world.bot, world.chats, world.chats.replace(message));
}

function notModified(): Error {
  return badRequest(
    "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
  );
}

function readEntities(value: unknown): Entity[] {
  const list: unknown = typeof value === "string" ? JSON.parse(value) : value;
  return Array.isArray(list) ? (list as Entity[]) : [];
}

function isFile(value: unknown): value is UploadedFile {
  return value !== null && typeof value === "object" && "data" in value && Buffer.isBuffer(value.data);
}

function readText(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

function optionalText(value: unknown): string | undefined {
  return readText(value) || undefined;
}

function readNumber(value: unknown, fallback: number): number {
  const number = Number(value ?? fallback);
  return Number.isFinite(number) ? number : fallback;
}

function readInteger(value: unknown, fallback: number): number {
  return Math.trunc(readNumber(value, fallback));
}

function readList(value: unknown): readonly string[] | undefined {
  const list: unknown = typeof value === "string" ? JSON.parse(value) : value;
  return Array.isArray(list) ? list.map(String) : undefined;
}
