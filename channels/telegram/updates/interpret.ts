/** Interprets a stored update. Pure; any JSON gives one of our kinds or null. */
import * as v from "valibot";
import {
  asId,
  type DeliveryId,
  type Identity,
  type Inbound,
  type SessionId,
} from "../../../src/sdk/channel.js";
import { makePrintable } from "../../../src/sdk/text.js";
import { parseTextRequest, parseScreenRequest, type TextRequest } from "./person-question.js";
import { DISPLAY_NAME_MAX } from "../limits.js";

/** The row in the inbox: an update of the service plus our own receive time (a tap carries no time). */
export interface StoredUpdate {
  readonly receivedAt: number;
  readonly update: unknown;
}

export function toStoredUpdate(update: unknown, receivedAt: number): StoredUpdate {
  return { receivedAt, update };
}

const integer = v.pipe(v.number(), v.safeInteger());

const person = v.object({
  id: integer,
  is_bot: v.boolean(),
  first_name: v.optional(v.string(), ""),
  last_name: v.optional(v.string(), ""),
  username: v.optional(v.string(), ""),
});

const place = v.object({ id: integer });

const tap = v.object({
  id: v.string(),
  from: person,
  data: v.string(),
  message: v.object({
    message_id: integer,
    chat: place,
    message_thread_id: v.optional(integer),
    is_topic_message: v.optional(v.boolean()),
    /** Absent if the service no longer shows it to the bot. */
    text: v.optional(v.string()),
    entities: v.optional(v.array(v.object({ type: v.string(), offset: integer, length: integer }))),
  }),
});

const message = v.object({
  message_id: integer,
  message_thread_id: v.optional(integer),
  is_topic_message: v.optional(v.boolean()),
  from: person,
  chat: place,
  /** In seconds. */
  date: v.optional(integer),
  text: v.string(),
  reply_to_message: v.optional(
    v.object({ message_id: integer, from: v.optional(person), forum_topic_created: v.optional(v.unknown()) }),
  ),
  // If present, the text is not, or not only, the sender's own.
  sender_chat: v.optional(v.unknown()),
  forward_origin: v.optional(v.unknown()),
  forward_date: v.optional(v.unknown()),
  via_bot: v.optional(v.unknown()),
});

const row = v.object({
  receivedAt: v.number(),
  update: v.object({
    callback_query: v.optional(v.unknown()),
    message: v.optional(v.unknown()),
    edited_message: v.optional(v.unknown()),
  }),
});

export type Tap = v.InferOutput<typeof tap>;
export type TextMessage = v.InferOutput<typeof message>;
type TelegramPerson = v.InferOutput<typeof person>;

export type ParsedUpdate =
  | { readonly kind: "tap"; readonly tap: Tap; readonly receivedAt: number }
  | {
      readonly kind: "message";
      readonly message: TextMessage;
      /** Edited after it was sent. */
      readonly edited: boolean;
      /** A picture, a voice message, a file: its caption is no text of ours. */
      readonly isMedia: boolean;
      readonly receivedAt: number;
    };

/** The facts besides its text that determine an update's meaning. */
export interface Context {
  readonly botId: number;
  /** What a message of ours asks for. */
  asked(chatId: number, messageId: number): TextRequest | null;
  /** The session whose topic this is. */
  findSession(chatId: number, threadId: number): string | null;
  /** Whether the hub has a record of this delivery. */
  knows(deliveryId: string): boolean;
}

/** Null for everything we ignore: notes of the service, channel posts, and foreign JSON. */
export function parseStored(raw: unknown): ParsedUpdate | null {
  const parsed = v.safeParse(row, raw);
  if (!parsed.success) return null;
  const { receivedAt, update } = parsed.output;
  const asTap = v.safeParse(tap, update.callback_query);
  if (asTap.success) return { kind: "tap", tap: asTap.output, receivedAt };
  const edited = update.message === undefined;
  const written = update.message ?? update.edited_message;
  const isMedia = !edited && hasMedia(written);
  const given = isMedia ? { ...written, text: written.caption ?? "" } : written;
  const asMessage = v.safeParse(message, given);
  return asMessage.success
    ? { kind: "message", message: asMessage.output, edited, isMedia, receivedAt }
    : null;
}

/** What people send instead of text. Everything else without text is a note of the service: a pin, somebody who joined. */
const MEDIA = ["photo", "voice", "audio", "video", "video_note", "animation", "document", "sticker"];

function hasMedia(sent: unknown): sent is { readonly caption?: unknown } {
  return sent !== null && typeof sent === "object" && MEDIA.some((kind) => kind in sent);
}

/** The update with `text` in place of what the person wrote; of everything else only what we use. */
export function replaceText(raw: unknown, text: string): unknown {
  const parsed = parseStored(raw);
  if (parsed?.kind !== "message") return raw;
  const { message: sent, edited, isMedia, receivedAt } = parsed;
  const next = { ...sent, text, ...(isMedia && { document: {} }) };
  return toStoredUpdate({ [edited ? "edited_message" : "message"]: next }, receivedAt);
}

export function interpretStored(raw: unknown, context: Context): Inbound | null {
  const parsed = parseStored(raw);
  if (parsed?.kind === "tap") return interpretTap(parsed.tap, parsed.receivedAt, context);
  return parsed ? interpretMessage(parsed, context) : null;
}

function interpretTap(query: Tap, receivedAt: number, context: Context): Inbound | null {
  const asking = parseTextRequest(query.data);
  // A button that asks for text only opens a reply; nothing is decided yet. Of an unknown card the hub has to say so.
  if (query.from.is_bot || (asking !== null && context.knows(asking.deliveryId))) return null;
  const identity = getIdentity(query.from);
  const place = String(query.message.chat.id);
  const screenRequest = parseScreenRequest(query.data);
  if (screenRequest !== null)
    return { kind: "look", deliveryId: asId<DeliveryId>(screenRequest), identity, place, receivedAt };
  return {
    kind: "tap",
    token: query.data,
    ref: buildRef(query.message.chat.id, query.message.message_id),
    identity,
    place,
    receivedAt,
  };
}

function interpretMessage(
  { message: sent, edited, isMedia, receivedAt }: Extract<ParsedUpdate, { kind: "message" }>,
  context: Context,
): Inbound | null {
  if (sent.from.is_bot && sent.sender_chat === undefined) return null;
  const origin = { identity: getIdentity(sent.from), place: String(sent.chat.id), receivedAt };
  const target = sent.reply_to_message;
  const isReply = target?.from?.id === context.botId && !isTopicRoot(sent);
  const why = isMedia ? "media" : findUnfitReason(sent, edited);
  const session = findSession(sent, context);
  const isForUs = isReply || sent.chat.id > 0 || session.about !== undefined;
  // Messages not meant for us (a group's own conversation) are not refused answers.
  const replied = isReply ? { ref: buildRef(sent.chat.id, target.message_id) } : {};
  if (why !== null)
    return isForUs ? { kind: "unfit", why, text: sent.text, ...replied, ...session, ...origin } : null;
  const time = sent.date === undefined ? {} : { sentAt: sent.date * 1000 };
  if (!isReply) {
    const common = { text: sent.text, displayName: getDisplayName(sent.from), ...session };
    return { kind: "text", ...common, ...origin, ...time };
  }
  const ref = buildRef(sent.chat.id, target.message_id);
  const ask = context.asked(sent.chat.id, target.message_id);
  if (ask === null) return { kind: "text_reply", ref, text: sent.text, ...session, ...origin, ...time };
  const deliveryId = asId<DeliveryId>(ask.deliveryId);
  return { kind: "text_reply", ref, deliveryId, text: `${ask.before}${sent.text}`, ...session, ...origin };
}

function findSession(sent: TextMessage, context: Context): { about?: SessionId } {
  const { is_topic_message: inTopic, message_thread_id: id } = sent;
  const session = inTopic && id !== undefined ? context.findSession(sent.chat.id, id) : null;
  return session === null ? {} : { about: asId<SessionId>(session) };
}

/** Why the text is not, or no longer, the sender's own; otherwise null. */
function findUnfitReason(
  sent: TextMessage,
  edited: boolean,
): Extract<Inbound, { kind: "unfit" }>["why"] | null {
  if ((sent.forward_origin ?? sent.forward_date ?? sent.via_bot) !== undefined) return "forwarded";
  if (sent.sender_chat !== undefined) return "anonymous";
  return edited ? "edited" : null;
}

/** In a topic every message "replies" to the topic's first one, which may be ours. */
function isTopicRoot(sent: TextMessage): boolean {
  if (sent.is_topic_message !== true) return false;
  const target = sent.reply_to_message;
  return target?.forum_topic_created !== undefined || target?.message_id === sent.message_thread_id;
}

/** The only form of a delivery's reference, created here and by `deliver`: replies are matched by it. */
export function buildRef(chatId: number, messageId: number): { chatId: number; messageId: number } {
  return { chatId, messageId };
}

export function getIdentity(sender: TelegramPerson): Identity {
  return asId<Identity>(`telegram:${sender.id}`);
}

const sent = v.object({ from: v.object({ id: integer }) });

/** Works for any update, even one without meaning for us: a picture, a button that asks for text. */
export function findSender(raw: unknown): Identity | null {
  const parsed = v.safeParse(row, raw);
  if (!parsed.success) return null;
  const { callback_query: query, message: first, edited_message: edited } = parsed.output.update;
  const update = v.safeParse(sent, query ?? first ?? edited);
  return update.success ? asId<Identity>(`telegram:${update.output.from.id}`) : null;
}

function getDisplayName(sender: TelegramPerson): string {
  const name = [sender.first_name, sender.last_name].filter(Boolean).join(" ");
  const handle = sender.username ? ` (@${sender.username})` : "";
  return makePrintable(`${name}${handle}`.trim(), DISPLAY_NAME_MAX);
}
