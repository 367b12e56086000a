/** What may be a password that a prompt waits for is stored without its words: what is written to a disk may stay there. */
import type { Inbound } from "../../sdk/channel.js";
import type { ConfiguredChannel } from "../people/routing.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { Ledger } from "../ledger/ledger.js";
import { isOpen } from "../../model/lifecycle.js";
import { isCommandWord } from "./command-words.js";
import { findRepliedDelivery, readAnswerCommand } from "./find-prompt.js";

/** The update as it may be stored. It keeps the prompt's id, because the prompt may be over before the update is handled. */
export function concealSecret(ledger: Ledger, configuredChannel: ConfiguredChannel, raw: unknown): unknown {
  const { channel } = configuredChannel;
  try {
    const inbound = channel.interpret(raw);
    const prompt = inbound && findSecretPrompt(ledger, configuredChannel, inbound);
    if (!prompt) return raw;
    return channel.replaceText?.(raw, `answer ${prompt.shortId} (not stored)`) ?? raw;
  } catch {
    // An update that breaks its channel's parser is reported when it is handled.
    return raw;
  }
}

/** The prompt for a secret whose card the message replies to, which it names, or which is open in the session that it is about. */
function findSecretPrompt(
  ledger: Ledger,
  configuredChannel: ConfiguredChannel,
  inbound: Inbound,
): PromptRow | null {
  if (inbound.kind === "tap" || inbound.kind === "look") return null;
  const { prompts } = ledger.store;
  const ref = inbound.kind === "text" ? undefined : inbound.ref;
  const replied = ref && findRepliedDelivery(ledger, configuredChannel, { ...inbound, ref });
  const { text = "", about: sessionId = replied?.sessionId } = inbound;
  if (isCommandWord(text)) return null;
  const named = findNamedSecret(ledger, text);
  if (named) return named;
  const meant = replied?.promptId == null ? null : prompts.find(replied.promptId);
  // Words for another open prompt are its answer.
  if (meant && (isSecret(meant) || isOpen(meant.state))) return isSecret(meant) ? meant : null;
  return sessionId === undefined ? null : (prompts.listOpenInSession(sessionId).find(isSecret) ?? null);
}

/** `answer k7 …`, where k7 waits for a secret. */
export function findNamedSecret({ store }: Ledger, text: string): PromptRow | null {
  const named = readAnswerCommand(text);
  const prompt = named && store.prompts.findByShortId(named.shortId);
  return prompt && isSecret(prompt) ? prompt : null;
}

function isSecret({ event }: PromptRow): boolean {
  return event.promptType === "secret";
}
