/** Interprets a stored envelope. Pure; any JSON gives one of our kinds or null. */
import {
  asId,
  type DeliveryId,
  type Identity,
  type Inbound,
  type SessionId,
} from "../../../src/sdk/channel.js";
import { CHOICE_ACTION, FORM_ACTION, LOOK_ACTION } from "../cards/buttons.js";
import { DISPLAY_NAME_MAX } from "../limits.js";
import { parseStored, type Actor, type ParsedPayload } from "./payloads.js";

type Unfit = Extract<Inbound, { kind: "unfit" }>["why"];
type PayloadOf<K extends ParsedPayload["kind"]> = Extract<ParsedPayload, { kind: K }>;

/** The session whose thread starts with the message `ts` of a conversation. */
export type FindSession = (channel: string, ts: string) => string | null;

/** The facts besides its payload that determine an envelope's meaning. */
export interface EnvelopeContext {
  readonly findSession: FindSession;
  /** Whether the hub has a record of this delivery. */
  readonly knows: (deliveryId: string) => boolean;
}

export function interpretStored(raw: unknown, context: EnvelopeContext): Inbound | null {
  const parsed = parseStored(raw);
  return parsed === null ? null : interpret(parsed, context);
}

function interpret(parsed: ParsedPayload, { findSession, knows }: EnvelopeContext): Inbound | null {
  switch (parsed.kind) {
    case "press":
      return interpretPress(parsed, knows);
    case "submission":
      return interpretSubmission(parsed);
    case "command":
      return interpretCommand(parsed);
    case "message":
      return interpretMessage(parsed, findSession);
    case "home":
      return null;
  }
}

function interpretPress(parsed: PayloadOf<"press">, knows: EnvelopeContext["knows"]): Inbound | null {
  const { container, actions } = parsed.press;
  const place = container.channel_id;
  if (isOutsider(parsed)) return toUnfit(parsed, place, "outsider");
  if (!isOwnMessage(parsed)) return toUnfit(parsed, place, "forwarded");
  const [action] = actions;
  if (action?.action_id === LOOK_ACTION) {
    const deliveryId = asId<DeliveryId>(action.value);
    return { kind: "look", deliveryId, identity: getIdentity(parsed), place, receivedAt: parsed.receivedAt };
  }
  const isAnswer = action?.action_id.startsWith(CHOICE_ACTION) === true;
  // The form's own button only opens a form; nothing is decided yet. Of an unknown card the hub has to say so.
  const isLost = action?.action_id === FORM_ACTION && !knows(action.value);
  if (action === undefined || (!isAnswer && !isLost)) return null;
  const ref = buildRef(place, container.message_ts);
  const { receivedAt } = parsed;
  const tap = {
    kind: "tap",
    token: action.value,
    ref,
    identity: getIdentity(parsed),
    place,
    receivedAt,
  } as const;
  return action.action_ts === undefined ? tap : { ...tap, sentAt: toMilliseconds(action.action_ts) };
}

/** A card that somebody shared shows its buttons as an attachment of that person's message. */
export function isOwnMessage({ press: { container } }: PayloadOf<"press">): boolean {
  return container.type === "message" && container.message_ts !== "" && container.channel_id !== "";
}

function interpretSubmission(parsed: PayloadOf<"submission">): Inbound {
  const { metadata, text } = parsed.answer;
  if (isOutsider(parsed)) return toUnfit(parsed, metadata.channel, "outsider");
  return {
    kind: "text_reply",
    ref: buildRef(metadata.channel, metadata.ts),
    deliveryId: asId<DeliveryId>(metadata.delivery),
    text,
    identity: getIdentity(parsed),
    place: metadata.channel,
    receivedAt: parsed.receivedAt,
  };
}

function interpretCommand(parsed: PayloadOf<"command">): Inbound {
  const { text, channel_id: place } = parsed.command;
  return isOutsider(parsed)
    ? toUnfit(parsed, place, "outsider")
    : toText(parsed, place, text.trim() || "help");
}

function interpretMessage(parsed: PayloadOf<"message">, findSession: FindSession): Inbound {
  const { channel, words, edited } = parsed;
  const found = words.thread_ts === undefined ? null : findSession(channel, words.thread_ts);
  const session = found === null ? {} : { about: asId<SessionId>(found) };
  const text = restoreTypedText(words.text);
  const why = isOutsider(parsed) ? "outsider" : parsed.isMedia ? "media" : edited ? "edited" : null;
  if (why !== null) return { ...toUnfit(parsed, channel, why), text, ...session };
  // An event that nobody acknowledged comes again up to five minutes later.
  const sentAt = toMilliseconds(words.ts);
  return { ...toText(parsed, channel, text), ...session, sentAt };
}

function toMilliseconds(ts: string): number {
  return Number(ts) * 1_000;
}

function toText(parsed: ParsedPayload, place: string, text: string): Extract<Inbound, { kind: "text" }> {
  const displayName = parsed.actor.name.slice(0, DISPLAY_NAME_MAX);
  return {
    kind: "text",
    text,
    displayName,
    identity: getIdentity(parsed),
    place,
    receivedAt: parsed.receivedAt,
  };
}

function toUnfit(parsed: ParsedPayload, place: string, why: Unfit): Extract<Inbound, { kind: "unfit" }> {
  return { kind: "unfit", why, identity: getIdentity(parsed), place, receivedAt: parsed.receivedAt };
}

/** Channels can be shared with other organisations (Slack Connect); their members see our cards but may not answer. */
export function isOutsider({ actor, ownTeam }: ParsedPayload): boolean {
  return actor.team !== null && actor.team !== ownTeam;
}

export function getIdentity({ actor, ownTeam }: ParsedPayload): Identity {
  return buildIdentity(actor, ownTeam);
}

/** User ids are unique only within a team. */
function buildIdentity({ user, team }: Actor, ownTeam: string): Identity {
  return asId<Identity>(`slack:${team ?? ownTeam}/${user}`);
}

/** The only form of a delivery's reference, created here and by `deliver`: replies are matched by it. */
export function buildRef(channel: string, ts: string): { channel: string; ts: string } {
  return { channel, ts };
}

const MENTION = /^\s{0,8}<@[A-Z0-9]{1,32}(?:\|[^>]{0,128})?>\s{0,8}/;
const BRACKETS = /<([^<>|]{1,3000})(?:\|([^<>]{0,3000}))?>/g;

/** The text as typed: without a leading mention of the app, without brackets around URLs, and unescaped. */
export function restoreTypedText(text: string): string {
  return text
    .replace(MENTION, "")
    .replace(BRACKETS, (_, target: string, label: string | undefined) => removeBrackets(target, label))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function removeBrackets(target: string, label: string | undefined): string {
  if (/^[@#!]/.test(target)) {
    const sign = target.startsWith("#") ? "#" : "@";
    return `${sign}${(label || target.slice(1)).replace(/^[@#]/, "")}`;
  }
  // For a URL typed without scheme, only the label has the original text.
  return label || target;
}
