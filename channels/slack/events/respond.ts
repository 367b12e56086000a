/**
 * Tells a sender the result, outside any queue and without ever throwing: visible to that person only, except for a reply to a text
 * that has buttons. The service lets nobody edit what only one person sees, and the buttons must go with their prompts.
 */
import type { ChannelHost, InboundResponse } from "../../../src/sdk/channel.js";
import type { DeliveryRef } from "../../../src/sdk/delivery-ref.js";
import { clip } from "../../../src/sdk/text.js";
import type { SlackApi } from "../web-api/api.js";
import { SlackCallError, type SlackFailureKind } from "../web-api/failure.js";
import { TEXT_MAX } from "../limits.js";
import { buildOfferedActions } from "../cards/buttons.js";
import { buildRef } from "./interpret.js";
import { parseStored, type ParsedPayload, type Press } from "./payloads.js";
import { escapeMarkup, toPlainSpan, buildRichText, buildSection } from "../cards/rich.js";

export interface SlackAnswerParts {
  readonly api: SlackApi;
  readonly host: ChannelHost;
}

export async function sendResponse(
  parts: SlackAnswerParts,
  raw: unknown,
  answer: InboundResponse,
): Promise<DeliveryRef | null> {
  const parsed = parseStored(raw);
  if (!parsed || answer.text === "") return null;
  const say = chooseReply(parts.api, parsed, answer);
  const said = await callTwice(parts, "slack answer was not delivered", say);
  if (answer.closesCard === true && parsed.kind === "press")
    await callTwice(parts, "slack card was not closed", () =>
      closeCard(parts.api, parsed.press, answer.text),
    );
  return said;
}

/** Repeats a call whose result is lost once. Null if it failed; never throws. */
async function callTwice<T>(
  { host }: SlackAnswerParts,
  problem: string,
  call: () => Promise<T>,
): Promise<T | null> {
  try {
    return await call().catch((error: unknown) => {
      if (!(error instanceof SlackCallError) || !REPEATABLE.has(error.failure.kind)) throw error;
      return call();
    });
  } catch (error) {
    const reason = error instanceof SlackCallError ? error.failure.reason : "unexpected";
    host.log("warn", problem, { reason });
    return null;
  }
}

/** Shows `text` above the card's own words, and removes its buttons. */
async function closeCard(api: SlackApi, { container, message }: Press, text: string): Promise<void> {
  const head = buildRichText([buildSection([{ text: clip(text, TEXT_MAX), as: "bold" }])]);
  const kept = (message?.blocks ?? []).filter(({ type }) => KEPT_BLOCKS.has(type)).slice(0, BLOCKS_KEPT_MAX);
  await api.callNow("chat.update", {
    ...{ channel: container.channel_id, ts: container.message_ts, text: escapeMarkup(clip(text, TEXT_MAX)) },
    ...{ blocks: [...head, ...kept], parse: "none", link_names: false },
  });
}

/** Those that cards have, without the buttons. */
const KEPT_BLOCKS: ReadonlySet<string> = new Set(["rich_text", "context"]);
/** The service takes 50 blocks. */
const BLOCKS_KEPT_MAX = 48;

/** A repeated reply to one person does little harm; none leaves them uninformed. */
const REPEATABLE: ReadonlySet<SlackFailureKind> = new Set(["lost", "unreachable"]);

type SlackMessage = Readonly<Record<string, unknown>>;

function buildMessage({ text, buttons = [] }: InboundResponse): SlackMessage {
  const shown = clip(text, TEXT_MAX);
  return {
    text: escapeMarkup(shown),
    blocks: [...buildRichText([buildSection([toPlainSpan(shown)])]), ...buildOfferedActions(buttons)],
    parse: "none",
  };
}

/** Says it, and resolves with the message if it can be edited. */
type Say = () => Promise<DeliveryRef | null>;

/** Reaches the person through the address in the interaction, otherwise where they wrote. */
function chooseReply(api: SlackApi, parsed: ParsedPayload, answer: InboundResponse): Say {
  const message = buildMessage(answer);
  switch (parsed.kind) {
    case "press": {
      const { response_url: address, container } = parsed.press;
      return buildResponse(api, address, { ...message, ...buildThreadField(container.thread_ts) });
    }
    case "command":
      return buildResponse(api, parsed.command.response_url, message);
    case "submission": {
      const { channel, thread } = parsed.answer.metadata;
      const where = { channel, user: parsed.actor.user, ...buildThreadField(thread) };
      return postToOne(api, { ...message, ...where });
    }
    case "message":
      return buildTextReply(api, parsed, message, answer.buttons !== undefined);
    case "home":
      return () => Promise.resolve(null);
  }
}

function buildResponse(api: SlackApi, address: string | undefined, message: SlackMessage): Say {
  if (address === undefined) return () => Promise.resolve(null);
  const shown = { ...message, response_type: "ephemeral", replace_original: false };
  return () => api.respond(address, shown).then(() => null);
}

/** In the app's own conversation a reply stays; elsewhere only the sender sees it, unless it must be edited later. */
function buildTextReply(
  api: SlackApi,
  { channel, words, actor }: Extract<ParsedPayload, { kind: "message" }>,
  message: SlackMessage,
  isEdited: boolean,
): Say {
  const where = { channel, ...buildThreadField(words.thread_ts) };
  if (!isEdited && !channel.startsWith("D"))
    return postToOne(api, { ...message, ...where, user: actor.user });
  return async () => {
    const { ts } = await api.callNow("chat.postMessage", { ...message, ...where });
    return typeof ts === "string" ? buildRef(channel, ts) : null;
  };
}

function postToOne(api: SlackApi, message: SlackMessage): Say {
  return () => api.callNow("chat.postEphemeral", message).then(() => null);
}

function buildThreadField(ts: string | undefined): { thread_ts?: string } {
  return ts === undefined ? {} : { thread_ts: ts };
}
