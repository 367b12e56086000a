/** Tells an update's sender the result: at once, outside any queue, and without ever throwing. */
import type { ChannelHost, InboundResponse } from "../../../src/sdk/channel.js";
import type { DeliveryRef } from "../../../src/sdk/delivery-ref.js";
import { clip } from "../../../src/sdk/text.js";
import type { BotApi, Payload } from "../bot-api/api.js";
import {
  TelegramCallError,
  isAlreadyDeleted,
  isHarmlessEditRefusal,
  isStaleQuery,
  type TelegramFailureKind,
} from "../bot-api/failure.js";
import { buildRef, parseStored, type Tap, type TextMessage } from "./interpret.js";
import { BUTTON_TEXT_MAX, CALLBACK_ANSWER_MAX, TEXT_MAX, type TelegramTiming } from "../limits.js";
import { toPlainSpan } from "../cards/markup.js";
import { NO_PREVIEW, sendText } from "../cards/send-text.js";

type AnsweredMessage =
  Pick<TextMessage, "chat" | "message_id" | "is_topic_message" | "message_thread_id"> | Tap["message"];

interface TelegramAnswerParts {
  readonly api: BotApi;
  readonly host: ChannelHost;
  readonly timing: TelegramTiming;
}

/** Stops the spinner of a tap; replies to a text only if there is something to say. Resolves with the message, if it posted one. */
export async function sendResponse(
  parts: TelegramAnswerParts,
  raw: unknown,
  answer: InboundResponse,
): Promise<DeliveryRef | null> {
  try {
    const parsed = parseStored(raw);
    if (parsed?.kind === "tap") {
      // The person looks at a spinner, so they come first.
      return await answerTap(parts, parsed.tap, answer).finally(() =>
        answer.closesCard === true ? closeCard(parts, parsed.tap, answer.text) : undefined,
      );
    }
    if (parsed?.kind !== "message" || answer.text === "") return null;
    if (answer.isReceipt === true && (await markAccepted(parts, parsed.message))) return null;
    const isDeleted = answer.ifDeleted !== undefined && (await deleteMessage(parts, parsed.message));
    const text = isDeleted ? (answer.ifDeleted ?? "") : answer.text;
    return await replyTo(parts, parsed.message, { ...answer, text });
  } catch (error) {
    const reason = error instanceof TelegramCallError ? error.failure.reason : "unexpected";
    if (!isStaleQuery(error) && !isHarmlessEditRefusal(error))
      parts.host.log("warn", "telegram answer was not delivered", { reason });
  }
  return null;
}

/** Sets a reaction, which is no message of its own. False if that failed, as in a group that allows none. */
async function markAccepted({ api, timing }: TelegramAnswerParts, message: TextMessage): Promise<boolean> {
  const reaction = [{ type: "emoji" as const, emoji: "👌" as const }];
  const { chat, message_id } = message;
  const payload = { chat_id: chat.id, message_id, reaction };
  return api.call("setMessageReaction", payload, { limitMs: timing.answerMs }).catch(() => false);
}

/** In a private chat a bot may delete what people wrote, in a group only with that right. */
async function deleteMessage(
  { api, timing }: TelegramAnswerParts,
  { chat, message_id }: TextMessage,
): Promise<boolean> {
  const target = { chat_id: chat.id, message_id };
  try {
    return await api.call("deleteMessage", target, { limitMs: timing.callMs });
  } catch (error) {
    return isAlreadyDeleted(error);
  }
}

/** Replying twice does no harm, so a lost connection is retried while the spinner turns. */
async function answerTap(
  parts: TelegramAnswerParts,
  { id: queryId, message }: Tap,
  answer: InboundResponse,
): Promise<DeliveryRef | null> {
  const { api, timing } = parts;
  // A passing line has no buttons: the answer is then a message of its own below the card.
  if (answer.buttons !== undefined && answer.buttons.length > 0) {
    await stopSpinner(parts, queryId);
    return replyTo(parts, message, answer);
  }
  const text = clip(answer.text, CALLBACK_ANSWER_MAX);
  const send = (): Promise<true> =>
    api.call(
      "answerCallbackQuery",
      { callback_query_id: queryId, text, show_alert: answer.alert },
      { limitMs: timing.answerMs },
    );
  try {
    await send();
  } catch (error) {
    if (!(error instanceof TelegramCallError) || !REPEATABLE.has(error.failure.kind)) throw error;
    await send();
  }
  return null;
}

/** Shows `text` above the card's own words, which keep their marks, and removes its buttons. */
async function closeCard(
  { api, timing }: TelegramAnswerParts,
  { message: { chat, message_id, text: shown, entities = [] } }: Tap,
  text: string,
): Promise<void> {
  const target = { chat_id: chat.id, message_id };
  const head = `${clip(text, CALLBACK_ANSWER_MAX)}\n\n`;
  const options = { limitMs: timing.callMs };
  const isFit = shown !== undefined && !shown.startsWith(head) && head.length + shown.length <= TEXT_MAX;
  if (!isFit) {
    await api.call("editMessageReplyMarkup", target, options);
    return;
  }
  const marks = entities
    .filter(({ type }) => KEPT_MARKS.has(type))
    .map((mark) => ({ ...mark, offset: mark.offset + head.length }));
  const bold = { type: "bold", offset: 0, length: head.trimEnd().length };
  const edit = { ...target, ...NO_PREVIEW, text: `${head}${shown}`, entities: [bold, ...marks] };
  await api.call("editMessageText", edit as Payload<"editMessageText">, options);
}

/** Those that cards have. `code` and `pre` also prevent links. */
const KEPT_MARKS: ReadonlySet<string> = new Set(["bold", "italic", "code", "pre"]);

async function stopSpinner({ api, timing }: TelegramAnswerParts, queryId: string): Promise<void> {
  await api
    .call("answerCallbackQuery", { callback_query_id: queryId }, { limitMs: timing.answerMs })
    // The message with the buttons matters more.
    .catch(() => undefined);
}

/** Failures after which the same call may succeed at once. */
const REPEATABLE: ReadonlySet<TelegramFailureKind> = new Set(["lost", "unreachable"]);

async function replyTo(
  parts: TelegramAnswerParts,
  message: AnsweredMessage,
  { text, alert, buttons = [] }: InboundResponse,
): Promise<DeliveryRef> {
  const rows = buttons.map(({ token, label }) => [
    { text: clip(label, BUTTON_TEXT_MAX), callback_data: token },
  ]);
  const messageId = await sendText(parts, message.chat.id, [toPlainSpan(clip(text, TEXT_MAX))], {
    ...(rows.length === 0 ? {} : { reply_markup: { inline_keyboard: rows } }),
    ...getTopicField(message),
    // Its sender has just written; only what asks for something more rings.
    ...(alert || rows.length > 0 ? {} : { disable_notification: true }),
    reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
  });
  return buildRef(message.chat.id, messageId);
}

/** A reply belongs where the prompt was posted, not into the group's general topic. */
function getTopicField(message: AnsweredMessage): { message_thread_id?: number } {
  const { is_topic_message: inTopic, message_thread_id: id } = message;
  return inTopic && id !== undefined ? { message_thread_id: id } : {};
}
