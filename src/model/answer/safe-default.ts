/** The meaning of `default` as an answer (adapter spec §3.2, §6.4). Pure. */
import type { PromptEvent } from "../prompt.js";
import { findRejectingValue } from "./rejecting.js";
import { createRefusal } from "./refusal.js";
import { parseLegalValue, type Legality } from "./reply.js";

type DefaultedPrompt = Pick<PromptEvent, "promptType" | "choices" | "constraints">;

/**
 * The one answer that rejects, in its normal form: never the tool's highlight or Enter, which may erase a disk, nor the text it
 * proposes. `no_default` if no such answer is known.
 */
export function findSafeDefault(question: DefaultedPrompt): Legality {
  const value = findRejectingValue(question);
  const legal = value === null ? null : parseLegalValue(question, value);
  return legal?.ok ? legal : { ok: false, rejection: createRefusal("no_default") };
}
