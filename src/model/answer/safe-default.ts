/** The meaning of `default` as an answer (adapter spec §3.2, §6.4). Pure. */
import type { PromptEvent } from "../prompt.js";
import { rejectingValue } from "./rejecting.js";
import { rejection } from "./rejection.js";
import { legalValue, type Legality } from "./reply.js";

type Question = Pick<PromptEvent, "promptType" | "choices" | "constraints">;

/**
 * The one answer that rejects, in its normal form: never the tool's highlight or Enter, which may erase a disk, nor the text it
 * proposes. `no_default` if no such answer is known.
 */
export function safeDefault(question: Question): Legality {
  const value = rejectingValue(question);
  const legal = value === null ? null : legalValue(question, value);
  return legal?.ok ? legal : { ok: false, rejection: rejection("no_default") };
}
