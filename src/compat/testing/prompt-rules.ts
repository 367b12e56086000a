/** What a prompt, a reply, the newline policies and the keys by time keep to (adapter spec §3.3, §4, §5). */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { NewlinePolicy, Reply } from "../../model/answer/reply.js";
import { NEWLINE_POLICIES, parseLegalValue } from "../../model/answer/reply.js";
import { isIdentity, isUuid4 } from "../../model/ids.js";
import { toConfidence, type PromptEvent, type PromptType } from "../../model/prompt.js";
import { checkAtOnce, type ContractCheck } from "./check.js";

const EXCERPT_BYTES_MAX = 200;

/** Which rules of adapter spec §3.3 an event breaks; empty: none. */
export function findEventProblems(event: PromptEvent): readonly string[] {
  return listBroken({
    "promptId is no UUID v4": isUuid4(event.promptId),
    "sessionId is no UUID v4": isUuid4(event.sessionId),
    "excerpt has more than 200 bytes": Buffer.byteLength(event.excerpt) <= EXCERPT_BYTES_MAX,
    "confidence is not the band of score": toConfidence(event.score) === event.confidence,
    "timestamp is not ISO 8601 in UTC": isInstant(event.timestamp),
    "idempotencyKey is no SHA-256 in hex": /^[0-9a-f]{64}$/.test(event.idempotencyKey),
  });
}

/** Which rules of adapter spec §3.3 a reply to that event breaks; empty: none. */
export function findReplyProblems(reply: Reply, event: PromptEvent): readonly string[] {
  const legal = parseLegalValue(event, reply.value, reply.text);
  return listBroken({
    "promptId is not the event's": reply.promptId === event.promptId,
    "sessionId is not the event's": reply.sessionId === event.sessionId,
    "value is not legal for the event, or not in its normal form": legal.ok && legal.value === reply.value,
    "nonce is not 32 hex characters": /^[0-9a-f]{32}$/.test(reply.nonce),
    "channelIdentity is not <channel>:<id>": isIdentity(reply.channelIdentity),
    "timestamp is not ISO 8601 in UTC": isInstant(reply.timestamp),
    "newlinePolicy is unknown": NEWLINE_POLICIES.includes(reply.newlinePolicy),
  });
}

function listBroken(rules: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(rules).flatMap(([problem, isKept]) => (isKept ? [] : [problem]));
}

function isInstant(text: string): boolean {
  return !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
}

type Encode = (promptType: PromptType, value: string, policy: NewlinePolicy) => Uint8Array | null;

/** Type, value, policy, and the bytes that adapter spec §4 and §6.4 ask for. */
const POLICY_ROWS: readonly (readonly [PromptType, string, NewlinePolicy, string])[] = [
  ["yes_no", "y", "append", "y\r"],
  ["multiple_choice", "1", "append", "1\r"],
  ["free_text", "my text", "append", "my text\r"],
  ["free_text", "größer", "append", "größer\r"],
  ["free_text", "", "none", "\r"],
  ["confirm_enter", "\n", "none", "\r"],
  ["confirm_enter", "enter", "none", "\r"],
  ["unknown", "q", "none", "q"],
  ["unknown", "\\x1b", "replace", "\u001b"],
  ["unknown", "\\x03", "replace", "\u0003"],
];

/** The checks of a function that makes bytes of an answer, such as `encodeAnswer`. */
export function newlineChecks(encode: Encode): readonly ContractCheck[] {
  const rows = POLICY_ROWS.map(([promptType, value, policy, bytes]) =>
    checkAtOnce(`encodes ${JSON.stringify(value)} of ${promptType} under ${policy}`, () => {
      const encoded = encode(promptType, value, policy);
      assert.deepEqual(encoded && Buffer.from(encoded), Buffer.from(bytes));
    }),
  );
  const refuses = checkAtOnce(
    "encodes no text of several lines: the second one would answer what comes next",
    () => {
      assert.equal(encode("free_text", "a\nrm -rf ~", "append"), null);
    },
  );
  return [...rows, refuses];
}

type MakeKey = (sessionId: string, excerpt: string, nowMs: number, windowSeconds?: number) => string;

/** The checks of a function that makes keys by time, such as `makeIdempotencyKey`. */
export function idempotencyChecks(makeKey: MakeKey): readonly ContractCheck[] {
  return [
    checkAtOnce("is the SHA-256 of session, excerpt and window", () => {
      const expected = createHash("sha256").update("s:Continue?:200").digest("hex");
      assert.equal(makeKey("s", "Continue?", 1_003_999), expected);
    }),
    checkAtOnce("changes with the window of 5 seconds only, or of the given length", () => {
      const at = (ms: number): string => makeKey("s", "q", ms);
      assert.equal(at(0), at(4999));
      assert.notEqual(at(4999), at(5000));
      assert.equal(makeKey("s", "q", 9000, 10), makeKey("s", "q", 0, 10));
    }),
    checkAtOnce("changes with the session and with the excerpt", () => {
      assert.notEqual(makeKey("s", "q", 0), makeKey("t", "q", 0));
      assert.notEqual(makeKey("s", "q", 0), makeKey("s", "r", 0));
    }),
  ];
}
