/** What stands in the place of a question whose row the hub did not write, or that a page that went bad has damaged. */
import { asId, type Fingerprint } from "../../../model/ids.js";
import type { PromptEvent } from "../../../model/prompt.js";

/** Told on its card, in lists and to whoever taps. */
export const UNPROVED_TEXT =
  "⚠️ Nothing proves the record of this question: it was damaged, changed by another program, or its key is gone. It cannot be answered any more; look at its terminal.";

/** Nothing can be answered to it. Its ids and its key come from its row. */
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
