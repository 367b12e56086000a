/** Immediate reactions that decide nothing: asking for the text of an answer. */
import type { ChannelHost } from "../../../src/sdk/channel.js";
import { NO_LONGER_OPEN } from "../../../src/sdk/card-words.js";
import { replaceLoneSurrogates } from "../../../src/sdk/text.js";
import type { BotApi } from "../bot-api/api.js";
import { sendResponse } from "./respond.js";
import { parseTextRequest, listTextRequests, formatTextRequest } from "./person-question.js";
import type { SentTextRequests } from "./asked-questions.js";
import { TelegramCallError } from "../bot-api/failure.js";
import { getIdentity, parseStored, type StoredUpdate, type Tap } from "./interpret.js";
import { NAME_MAX, type TelegramTiming } from "../limits.js";
import { findLinkable } from "../cards/links.js";
import { requireMessageId, NO_PREVIEW } from "../cards/send-text.js";

interface TelegramInteractionParts {
  readonly api: BotApi;
  readonly host: ChannelHost;
  readonly timing: TelegramTiming;
  readonly asked: SentTextRequests;
}

/** Never throws. Updates that are handled again after a restart are skipped: nobody is looking any more. */
export async function react(parts: TelegramInteractionParts, row: StoredUpdate): Promise<void> {
  const parsed = parseStored(row);
  if (parsed?.kind !== "tap") return;
  const wanted = parseTextRequest(parsed.tap.data);
  // The hub answers for a card that it has no record of.
  if (wanted === null || !parts.host.knows(wanted.deliveryId)) return;
  const say = async (text: string): Promise<void> => {
    await sendResponse(parts, row, { text, alert: text !== "" });
  };
  try {
    // A stranger learns nothing, not even whether the prompt is open.
    if (parts.host.overview(getIdentity(parsed.tap.from)) === null) {
      await say("You may not answer this prompt.");
      return;
    }
    const notice = parts.host.openNotice(wanted.deliveryId);
    const asking = notice && listTextRequests(notice).find(({ choice }) => choice === wanted.choice);
    if (!notice || !asking || notice.place !== String(parsed.tap.message.chat.id)) {
      await say(NO_LONGER_OPEN);
      return;
    }
    await Promise.all([say(""), askForReply(parts, parsed.tap, formatTextRequest(notice, asking), asking)]);
  } catch (error) {
    const reason = error instanceof TelegramCallError ? error.failure.reason : "unexpected";
    parts.host.log("warn", "telegram did not ask for a reply", { reason });
  }
}

/** Sends a message that opens the person's keyboard; the reply answers the card. */
async function askForReply(
  { api, asked, timing }: TelegramInteractionParts,
  { from, message }: Tap,
  text: string,
  asking: { readonly deliveryId: string; readonly before: string },
): Promise<void> {
  const chatId = message.chat.id;
  // In a group only the person who pressed is asked, by name.
  const name = chatId > 0 ? "" : replaceLoneSurrogates(from.first_name).slice(0, NAME_MAX) || "You";
  const calls = name === "" ? "" : `${name}, `;
  const sent = await api.call(
    "sendMessage",
    {
      chat_id: chatId,
      text: `${calls}${text}`,
      entities: [
        ...(name === "" ? [] : [buildMention(name.length, from)]),
        ...buildCodeEntity(text, calls.length),
      ],
      ...(message.is_topic_message && message.message_thread_id !== undefined
        ? { message_thread_id: message.message_thread_id }
        : {}),
      ...NO_PREVIEW,
      reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
      reply_markup: { force_reply: true, selective: true, input_field_placeholder: "Your answer" },
    },
    { limitMs: timing.callMs },
  );
  asked.remember(chatId, requireMessageId("sendMessage", sent), asking);
}

function buildMention(length: number, { id, is_bot, first_name }: Tap["from"]) {
  return { type: "text_mention" as const, offset: 0, length, user: { id, is_bot, first_name } };
}

/** Prevents links in the prompt's own text. */
function buildCodeEntity(text: string, from: number) {
  return findLinkable(text).map(({ offset, length }) => ({
    type: "code" as const,
    offset: from + offset,
    length,
  }));
}
