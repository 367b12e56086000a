/** Tells a sender the result: visible to that person only, outside any queue, and without ever throwing. */
import type { ChannelHost, InboundAnswer } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import type { SlackApi } from "../web-api/api.js";
import { SlackCallError, type SlackFailureKind } from "../web-api/failure.js";
import { TEXT_MAX } from "../limits.js";
import { parseStored, type ParsedPayload } from "./payloads.js";
import { escapeMarkup, toPlainSpan, buildRichText, buildSection } from "../cards/rich.js";

export interface SlackAnswerParts {
  readonly api: SlackApi;
  readonly host: ChannelHost;
}

export async function sendAnswer(
  parts: SlackAnswerParts,
  raw: unknown,
  answer: InboundAnswer,
): Promise<void> {
  const parsed = parseStored(raw);
  if (!parsed || answer.text === "") return;
  const say = chooseReply(parts.api, parsed, buildMessage(clip(answer.text, TEXT_MAX)));
  try {
    await say().catch((error: unknown) => {
      if (!(error instanceof SlackCallError) || !REPEATABLE.has(error.failure.kind)) throw error;
      return say();
    });
  } catch (error) {
    const reason = error instanceof SlackCallError ? error.failure.reason : "unexpected";
    parts.host.log("warn", "slack answer was not delivered", { reason });
  }
}

/** A repeated reply to one person does little harm; none leaves them uninformed. */
const REPEATABLE: ReadonlySet<SlackFailureKind> = new Set(["lost", "unreachable"]);

type Message = Readonly<Record<string, unknown>>;

function buildMessage(text: string): Message {
  return {
    text: escapeMarkup(text),
    blocks: buildRichText([buildSection([toPlainSpan(text)])]),
    parse: "none",
  };
}

/** Reaches the person through the address in the interaction, otherwise where they wrote. */
function chooseReply(api: SlackApi, parsed: ParsedPayload, message: Message): () => Promise<unknown> {
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
      return () => api.callNow("chat.postEphemeral", { ...message, ...where });
    }
    case "message":
      return buildTextReply(api, parsed, message);
    case "home":
      return () => Promise.resolve();
  }
}

function buildResponse(api: SlackApi, address: string | undefined, message: Message): () => Promise<unknown> {
  if (address === undefined) return () => Promise.resolve();
  const shown = { ...message, response_type: "ephemeral", replace_original: false };
  return () => api.respond(address, shown);
}

/** In the app's own conversation a reply stays; elsewhere only the sender sees it. */
function buildTextReply(
  api: SlackApi,
  { channel, words, actor }: Extract<ParsedPayload, { kind: "message" }>,
  message: Message,
): () => Promise<unknown> {
  const where = { channel, ...buildThreadField(words.thread_ts) };
  if (channel.startsWith("D")) return () => api.callNow("chat.postMessage", { ...message, ...where });
  return () => api.callNow("chat.postEphemeral", { ...message, ...where, user: actor.user });
}

function buildThreadField(ts: string | undefined): { thread_ts?: string } {
  return ts === undefined ? {} : { thread_ts: ts };
}
