/** A question's event as its row holds it, and what stands in its place when it cannot be read. Pure. */
import {
  asId,
  type Fingerprint,
  type IdempotencyKey,
  type PromptId,
  type SessionId,
} from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import { readObject } from "./quarantine.js";

/** Told on its card, in lists and to whoever taps. */
export const UNREADABLE_TEXT =
  "⚠️ The record of this question is damaged. It was given up; look at its terminal.";

/** Null where it is none: what every reader of an event relies on is looked at. */
export function readEvent(text: string): PromptEvent | null {
  const event = readObject(text) as Partial<PromptEvent> | null;
  if (event === null) return null;
  const { excerpt, choices, constraints, content, sources, timestamp, promptType } = event;
  const isWhole =
    [excerpt, timestamp, promptType, content?.text].every((field) => typeof field === "string") &&
    [choices, sources].every((field) => Array.isArray(field)) &&
    typeof constraints === "object";
  return isWhole ? (event as PromptEvent) : null;
}

export interface EventFacts {
  readonly promptId: string;
  readonly sessionId: string;
  readonly idempotencyKey: string;
  readonly createdAt: number;
}

/** Nothing can be answered to it. */
export function unreadableEvent({ promptId, sessionId, idempotencyKey, createdAt }: EventFacts): PromptEvent {
  return {
    promptId: asId<PromptId>(promptId),
    sessionId: asId<SessionId>(sessionId),
    promptType: "unknown",
    confidence: "low",
    score: 0,
    safetyClass: "question",
    excerpt: UNREADABLE_TEXT,
    choices: [],
    defaultChoice: null,
    constraints: {},
    content: { text: "", cut: null },
    contentHash: "",
    fingerprint: asId<Fingerprint>(""),
    epoch: 0,
    idempotencyKey: asId<IdempotencyKey>(idempotencyKey),
    sources: [],
    timestamp: new Date(createdAt).toISOString(),
  };
}
