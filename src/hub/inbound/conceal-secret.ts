/** Replies to a prompt that waits for a secret are stored without their words: what is written to a disk may stay there. */
import type { Inbound } from "../../sdk/channel.js";
import type { ConfiguredChannel } from "../people/routing.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { Ledger } from "../ledger/ledger.js";
import { findRepliedDelivery, readAnswerCommand } from "./find-prompt.js";

const CONCEALED = "(not stored)";

/** The update as it may be stored. */
export function concealSecret(ledger: Ledger, configuredChannel: ConfiguredChannel, raw: unknown): unknown {
  const { channel } = configuredChannel;
  try {
    const inbound = channel.interpret(raw);
    const prompt = inbound && findMeantPrompt(ledger, configuredChannel, inbound);
    if (prompt?.event.promptType !== "secret") return raw;
    const words = inbound?.kind === "text" ? `answer ${prompt.shortId} ${CONCEALED}` : CONCEALED;
    return channel.replaceText?.(raw, words) ?? raw;
  } catch {
    // An update that breaks its channel's parser is reported when it is handled.
    return raw;
  }
}

function findMeantPrompt(
  ledger: Ledger,
  configuredChannel: ConfiguredChannel,
  inbound: Inbound,
): PromptRow | null {
  const { prompts } = ledger.store;
  if (inbound.kind === "text") {
    const command = readAnswerCommand(inbound.text);
    return command && prompts.findByShortId(command.shortId);
  }
  if (inbound.kind !== "text_reply" && inbound.kind !== "unfit") return null;
  const { ref } = inbound;
  const replied = ref && findRepliedDelivery(ledger, configuredChannel, { ...inbound, ref });
  return replied?.promptId == null ? null : prompts.find(replied.promptId);
}
