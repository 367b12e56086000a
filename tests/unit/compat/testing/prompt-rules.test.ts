/** The kits of events, replies, newline policies and keys by time find what breaks a rule of the adapter spec. */
import { AssertionError } from "node:assert";
import { describe, expect, it } from "vitest";
import { makeIdempotencyKey } from "../../../../src/compat/idempotency-window.js";
import type { Reply } from "../../../../src/model/answer/reply.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { encodeAnswer } from "../../../../src/worker/answer/plan/bytes.js";
import type { ContractCheck } from "../../../../src/compat/testing/check.js";
import {
  findEventProblems,
  findReplyProblems,
  idempotencyChecks,
  newlineChecks,
} from "../../../../src/compat/testing/prompt-rules.js";

const UUID = "11111111-1111-4111-8111-111111111111";
const event = {
  promptId: UUID,
  sessionId: UUID,
  promptType: "multiple_choice",
  confidence: "high",
  score: 0.9,
  excerpt: "Run it?",
  choices: [
    { label: "Yes", intent: "allow_once" },
    { label: "No", intent: "reject_once" },
  ],
  constraints: { minChoice: 1, maxChoice: 2 },
  idempotencyKey: "0".repeat(64),
  timestamp: "2026-01-01T00:00:00.000Z",
} as unknown as PromptEvent;
const reply = {
  replyId: UUID,
  promptId: UUID,
  sessionId: UUID,
  value: "2",
  nonce: "0".repeat(32),
  channelIdentity: "telegram:1001",
  timestamp: "2026-01-01T00:00:00.000Z",
  newlinePolicy: "append",
} as unknown as Reply;

async function listFailures(checks: readonly ContractCheck[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of checks)
    await run().catch((error: unknown) => {
      expect(error).toBeInstanceOf(AssertionError);
      failed.push(name);
    });
  return failed;
}

describe("the rules of an event", () => {
  it.each<[object, string]>([
    [{ promptId: "1" }, "promptId is no UUID v4"],
    [{ excerpt: "ä".repeat(101) }, "excerpt has more than 200 bytes"],
    [{ score: 0.7 }, "confidence is not the band of score"],
    [{ score: 0.5, confidence: "low" }, "confidence is not the band of score"],
    [{ timestamp: "2026-01-01T01:00:00+01:00" }, "timestamp is not ISO 8601 in UTC"],
    [{ idempotencyKey: "0" }, "idempotencyKey is no SHA-256 in hex"],
  ])("are broken by %j", (over, problem) => {
    expect(findEventProblems(event)).toEqual([]);
    expect(findEventProblems({ ...event, ...over })).toEqual([problem]);
  });
});

describe("the rules of a reply", () => {
  it.each<[object, string]>([
    [{ promptId: "1" }, "promptId is not the event's"],
    [{ value: "3" }, "value is not legal for the event, or not in its normal form"],
    [{ value: " 2" }, "value is not legal for the event, or not in its normal form"],
    [{ nonce: "0" }, "nonce is not 32 hex characters"],
    [{ channelIdentity: "Ara" }, "channelIdentity is not <channel>:<id>"],
    [{ newlinePolicy: "lf" }, "newlinePolicy is unknown"],
  ])("are broken by %j", (over, problem) => {
    expect(findReplyProblems(reply, event)).toEqual([]);
    expect(findReplyProblems({ ...reply, ...over }, event)).toEqual([problem]);
  });
});

it("a function that ends a line with a line feed fails", async () => {
  const failed = await listFailures(newlineChecks((_, value) => Buffer.from(`${value}\n`)));
  expect(failed).toContain('encodes "y" of yes_no under append');
  expect(await listFailures(newlineChecks(encodeAnswer))).toEqual([]);
});

it.each([
  ["forgets the window", (session: string, excerpt: string) => makeIdempotencyKey(session, excerpt, 0)],
  ["forgets the session", (_: string, excerpt: string, ms: number) => makeIdempotencyKey("s", excerpt, ms)],
])("a function that %s fails", async (_, makeKey) => {
  expect(await listFailures(idempotencyChecks(makeKey))).not.toEqual([]);
});
