/** Prompt events for tests that do not care how they were seen. */
import { createHash } from "node:crypto";
import {
  asId,
  type Fingerprint,
  type IdempotencyKey,
  type PromptId,
  type SessionId,
} from "../../src/model/ids.js";
import type { PromptEvent } from "../../src/model/prompt.js";

/** A permission question with three numbered rows; `over` replaces any field. */
export function promptEvent(over: Partial<PromptEvent> = {}): PromptEvent {
  const text = over.content?.text ?? "touch made.txt";
  return {
    promptId: asId<PromptId>("11111111-1111-4111-8111-111111111111"),
    sessionId: asId<SessionId>("22222222-2222-4222-8222-222222222222"),
    promptType: "multiple_choice",
    confidence: "high",
    score: 0.95,
    safetyClass: "permission",
    excerpt: "Do you want to proceed?",
    choices: [
      { label: "Yes", intent: "allow_once" },
      { label: "Yes, and don't ask again", intent: "allow_always" },
      { label: "No", intent: "reject_once" },
    ],
    defaultChoice: 1,
    constraints: {},
    content: { text, cut: null },
    contentHash: createHash("sha256").update(text).digest("hex"),
    fingerprint: asId<Fingerprint>("f".repeat(64)),
    epoch: 1,
    idempotencyKey: asId<IdempotencyKey>("a".repeat(64)),
    sources: [{ kind: "screen", name: "permission" }],
    timestamp: "2026-01-01T00:00:00.000Z",
    ...over,
  };
}
