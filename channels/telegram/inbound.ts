/** What a stored update means. Pure, and total: any JSON is either one of ours or null. */
import * as v from "valibot";
import { asId, type Identity, type Inbound } from "../../src/sdk/channel.js";
import { DISPLAY_NAME_MAX } from "./limits.js";

/** The row in the inbox: an update of the service plus the only trustworthy time, ours (a tap carries none). */
export interface StoredUpdate {
  readonly receivedAt: number;
  readonly update: unknown;
}

export function stored(update: unknown, receivedAt: number): StoredUpdate {
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
  message: v.object({ message_id: integer, chat: place }),
});

const message = v.object({
  message_id: integer,
  message_thread_id: v.optional(integer),
  is_topic_message: v.optional(v.boolean()),
  from: person,
  chat: place,
  text: v.string(),
  reply_to_message: v.optional(
    v.object({ message_id: integer, from: v.optional(person), forum_topic_created: v.optional(v.unknown()) }),
  ),
  // Present means: not, or not only, the words of the person who sent it.
  sender_chat: v.optional(v.unknown()),
  forward_origin: v.optional(v.unknown()),
  forward_date: v.optional(v.unknown()),
  via_bot: v.optional(v.unknown()),
});

const row = v.object({
  receivedAt: v.number(),
  update: v.object({ callback_query: v.optional(v.unknown()), message: v.optional(v.unknown()) }),
});

export type Tap = v.InferOutput<typeof tap>;
export type TextMessage = v.InferOutput<typeof message>;
type Person = v.InferOutput<typeof person>;

export type Parsed =
  | { readonly kind: "tap"; readonly tap: Tap; readonly receivedAt: number }
  | { readonly kind: "message"; readonly message: TextMessage; readonly receivedAt: number };

/** Null for everything that we do not take: edits, media, channel posts, and what is none of the above. */
export function parseStored(raw: unknown): Parsed | null {
  const parsed = v.safeParse(row, raw);
  if (!parsed.success) return null;
  const { receivedAt, update } = parsed.output;
  const asTap = v.safeParse(tap, update.callback_query);
  if (asTap.success) return { kind: "tap", tap: asTap.output, receivedAt };
  const asMessage = v.safeParse(message, update.message);
  return asMessage.success ? { kind: "message", message: asMessage.output, receivedAt } : null;
}

export function interpretStored(raw: unknown, botId: number): Inbound | null {
  const parsed = parseStored(raw);
  if (parsed?.kind === "tap") return meaningOfTap(parsed.tap, parsed.receivedAt);
  return parsed ? meaningOfMessage(parsed.message, parsed.receivedAt, botId) : null;
}

function meaningOfTap(query: Tap, receivedAt: number): Inbound | null {
  if (query.from.is_bot) return null;
  return {
    kind: "tap",
    token: query.data,
    ref: refOf(query.message.chat.id, query.message.message_id),
    identity: identityOf(query.from),
    place: String(query.message.chat.id),
    receivedAt,
  };
}

function meaningOfMessage(sent: TextMessage, receivedAt: number, botId: number): Inbound | null {
  if (!isOwnWords(sent)) return null;
  const origin = {
    text: sent.text,
    identity: identityOf(sent.from),
    place: String(sent.chat.id),
    receivedAt,
  };
  const target = sent.reply_to_message;
  if (target?.from?.id === botId && !isTopicRoot(sent))
    return { kind: "text_reply", ref: refOf(sent.chat.id, target.message_id), ...origin };
  return { kind: "text", displayName: displayNameOf(sent.from), ...origin };
}

/** An anonymous administrator or a channel speaks through a shared account; a forward is somebody else's text. */
function isOwnWords(sent: TextMessage): boolean {
  const borrowed = sent.sender_chat ?? sent.forward_origin ?? sent.forward_date ?? sent.via_bot;
  return borrowed === undefined && !sent.from.is_bot;
}

/** In a topic every message "replies" to the topic's first one, which may be ours. */
function isTopicRoot(sent: TextMessage): boolean {
  if (sent.is_topic_message !== true) return false;
  const target = sent.reply_to_message;
  return target?.forum_topic_created !== undefined || target?.message_id === sent.message_thread_id;
}

/** The one form of a delivery's reference, made here and by `deliver`: replies are matched by it. */
export function refOf(chatId: number, messageId: number): { chatId: number; messageId: number } {
  return { chatId, messageId };
}

function identityOf(sender: Person): Identity {
  return asId<Identity>(`telegram:${sender.id}`);
}

function displayNameOf(sender: Person): string {
  const name = [sender.first_name, sender.last_name].filter(Boolean).join(" ");
  const handle = sender.username ? ` (@${sender.username})` : "";
  return `${name}${handle}`.trim().slice(0, DISPLAY_NAME_MAX);
}
