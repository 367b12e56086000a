/** The replacement for a prompt whose row the hub did not write or whose page is damaged. */
import { asId, type Fingerprint } from "../../../model/ids.js";
import type { PromptEvent } from "../../../model/prompt.js";

/** Its outcome on its card, and its question in lists. */
export const UNPROVED_TEXT =
  "⚠️ This prompt's record cannot be verified: it is damaged, was changed by another program, or its key is missing. It can no longer be answered. Check where it was asked.";
/** The question on its card, whose outcome says the rest. */
export const UNKNOWN_QUESTION = "What was asked is not known.";

/** No answer to it is legal. Its ids and its key come from its row. */
export const unprovedEvent: Omit<PromptEvent, "promptId" | "sessionId" | "idempotencyKey"> = {
  promptType: "unknown",
  confidence: "low",
  score: 0,
  safetyClass: "question",
  excerpt: UNPROVED_TEXT,
  choices: [],
  defaultChoice: null,
  constraints: {},
  content: { text: "", cut: null },
  contentHash: "",
  fingerprint: asId<Fingerprint>(""),
  epoch: 0,
  sources: [],
  timestamp: new Date(0).toISOString(),
};

/** Whether this stands for a prompt of which the hub knows nothing but its ids. */
export function isUnproved({ fingerprint }: Pick<PromptEvent, "fingerprint">): boolean {
  return fingerprint === unprovedEvent.fingerprint;
}
