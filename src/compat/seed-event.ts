/** A prompt in the exact form of adapter spec §3.1. */
import type { Constraints, PromptEvent } from "../model/prompt.js";

/** The adapter spec's caps: they bind only its own form of an event. */
const SEED_MAX_CHOICES = 9;
const SEED_MAX_CHOICE_LENGTH = 60;

/**
 * The adapter spec's exact event (snake_case, capped choices), for consumers that were written against it. `rawBytes` is base64
 * of the terminal's output, if the caller has it: no prompt carries it, because it contains unredacted secrets.
 */
export function toSeedEvent(event: PromptEvent, rawBytes: string | null = null): Record<string, unknown> {
  return {
    prompt_id: event.promptId,
    session_id: event.sessionId,
    prompt_type: event.promptType,
    confidence: event.confidence,
    excerpt: event.excerpt,
    choices: event.choices
      .slice(0, SEED_MAX_CHOICES)
      .map((choice) => [...choice.label].slice(0, SEED_MAX_CHOICE_LENGTH).join("")),
    constraints: convertConstraints(event.constraints),
    idempotency_key: event.idempotencyKey,
    timestamp: event.timestamp,
    raw_bytes: rawBytes,
  };
}

function convertConstraints(constraints: Constraints): Record<string, number> {
  const named = {
    max_length: constraints.maxLength,
    min_choice: constraints.minChoice,
    max_choice: constraints.maxChoice,
  };
  return Object.fromEntries(
    Object.entries(named).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}
