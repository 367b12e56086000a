/** Tells an update's sender the result: at once, outside any queue, and without ever throwing. */
import type { ChannelHost, InboundAnswer } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import type { BotApi } from "../bot-api/api.js";
import { TelegramCallError, isStaleQuery, type TelegramFailureKind } from "../bot-api/failure.js";
import { parseStored, type TextMessage } from "./inbound.js";
import { CALLBACK_ANSWER_MAX, TEXT_MAX, type TelegramTiming } from "../limits.js";
import { toPlainSpan } from "../cards/markup.js";
import { sendText } from "../cards/send-text.js";

interface TelegramAnswerParts {
  readonly api: BotApi;
  readonly host: ChannelHost;
  readonly timing: TelegramTiming;
}

/** Stops the spinner of a tap; replies to a text only if there is something to say. */
export async function sendAnswer(
  parts: TelegramAnswerParts,
  raw: unknown,
  answer: InboundAnswer,
): Promise<void> {
  try {
    const parsed = parseStored(raw);
    if (parsed?.kind === "tap") await answerTap(parts, parsed.tap.id, answer);
    if (parsed?.kind === "message" && answer.text !== "")
      await replyTo(parts, parsed.message, clip(answer.text, TEXT_MAX));
  } catch (error) {
    const reason = error instanceof TelegramCallError ? error.failure.reason : "unexpected";
    if (!isStaleQuery(error)) parts.host.log("warn", "telegram answer was not delivered", { reason });
  }
}

/** Replying twice does no harm, so a lost connection is retried while the spinner turns. */
async function answerTap(
  { api, timing }: TelegramAnswerParts,
  queryId: string,
  answer: InboundAnswer,
): Promise<void> {
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
}

/** Failures after which the same call may succeed at once. */
const REPEATABLE: ReadonlySet<TelegramFailureKind> = new Set(["lost", "unreachable"]);

async function replyTo(parts: TelegramAnswerParts, message: TextMessage, text: string): Promise<void> {
  await sendText(parts, message.chat.id, [toPlainSpan(text)], {
    ...getTopicField(message),
    reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
  });
}

/** A reply belongs where the prompt was posted, not into the group's general topic. */
function getTopicField(message: TextMessage): { message_thread_id?: number } {
  const { is_topic_message: inTopic, message_thread_id: id } = message;
  return inTopic && id !== undefined ? { message_thread_id: id } : {};
}
