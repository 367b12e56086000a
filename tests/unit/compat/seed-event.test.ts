/** toSeedEvent gives a prompt event the fields of the adapter spec, with at most nine choices of sixty characters. */
import { describe, expect, it } from "vitest";
import { toSeedEvent } from "../../../src/compat/seed-event.js";
import type { PromptEvent } from "../../../src/model/prompt.js";

const event = {
  promptId: "p",
  sessionId: "s",
  promptType: "multiple_choice",
  confidence: "high",
  score: 0.97,
  safetyClass: "permission",
  excerpt: "Run it?",
  choices: Array.from({ length: 12 }, (_, at) => ({ label: `${at} ${"🙂".repeat(80)}`, intent: "other" })),
  constraints: { minChoice: 1, maxChoice: 12, multi: true },
  idempotencyKey: "k",
  timestamp: "2026-01-01T00:00:00.000Z",
} as unknown as PromptEvent;

describe("toSeedEvent", () => {
  it("has the adapter spec's fields by its names, and no other", () => {
    expect(Object.keys(toSeedEvent(event)).sort()).toEqual(
      [
        "prompt_id",
        "session_id",
        "prompt_type",
        "confidence",
        "excerpt",
        "choices",
        "constraints",
        "idempotency_key",
        "timestamp",
        "raw_bytes",
      ].sort(),
    );
  });

  it("caps choices at nine of sixty characters, without cutting a character in two", () => {
    const choices = toSeedEvent(event)["choices"] as string[];
    expect(choices).toHaveLength(9);
    expect(choices.map((label) => [...label].length)).toEqual(choices.map(() => 60));
    expect(choices[0]).toBe(`0 ${"🙂".repeat(58)}`);
  });

  it("names only constraints that the adapter spec knows", () => {
    expect(toSeedEvent(event)["constraints"]).toEqual({ min_choice: 1, max_choice: 12 });
  });
});
