import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { asId, type IdempotencyKey, type SessionId } from "../../../../src/model/ids.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import {
  idempotencyKeyOf,
  makeIdempotencyKey,
  RecentKeys,
} from "../../../../src/worker/detection/idempotency.js";
import { detectBuffer, revealPrompt, stamp } from "../../../../src/worker/detection/stamp.js";
import { safeText } from "../../../../src/safety/safe-text.js";
import { bashDialog, detectOn, shippedAdapter } from "./screens.js";

const session = asId<SessionId>("5f0c6a4e-8a54-4f0a-9b43-0b7e5c1d2e3f");
const options = {
  sessionId: session,
  random: { uuid: () => "11111111-1111-4111-8111-111111111111" },
  clock: new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5)),
  redact: (text: string) => text.replaceAll("hunter2", "‹redacted›"),
};
const claude = shippedAdapter("claude");
const generic = shippedAdapter("generic");

async function candidateOf(command: string) {
  const { rows, cursor } = bashDialog({ command, choices: ["Yes", "Yes, and allow hunter2", "No"] });
  const { candidate } = await detectOn(claude, rows, { alternate: true, cursor });
  if (!candidate) throw new Error("nothing was found");
  return candidate;
}

describe("a stamped prompt", () => {
  it("carries what the hub needs and nothing of how choices are typed", async () => {
    const candidate = await candidateOf("rm -rf build");
    const event = stamp(candidate, 3, options);
    expect(event).toMatchObject({
      promptId: options.random.uuid(),
      sessionId: session,
      promptType: "multiple_choice",
      confidence: "high",
      score: 0.97,
      safetyClass: "permission",
      excerpt: "Do you want to proceed?",
      defaultChoice: 1,
      epoch: 3,
      sources: [{ kind: "screen", name: "permission" }],
      timestamp: "2026-01-02T03:04:05.000Z",
    });
    expect(event.choices[0]).toEqual({ label: "Yes", intent: "allow_once" });
    expect(event.idempotencyKey).toBe(idempotencyKeyOf(session, 3, candidate.fingerprint));
  });

  it("says that more stands above it where nothing is known of its tool", async () => {
    const question = ["Do you want to perform these actions?", "  Only 'yes' is accepted.", ""];
    const rows = ["Plan: 1 to destroy.", "", ...question, "  Enter a value: "];
    const { candidate } = await detectOn(generic, rows, { signals: { blockedOnRead: true } });
    if (!candidate) throw new Error("nothing was found");
    const { content } = stamp(candidate, 0, { ...options, tellsAbove: true });
    expect(content.text).toMatch(/^Do you want to perform these actions\?/);
    expect(content.cut).toEqual({ missing: "what stands above it on the screen" });
    expect(stamp(candidate, 0, options).content.cut).toBeNull();
  });

  it("is redacted for people, and hashed as the tool shows it", async () => {
    const candidate = await candidateOf("echo hunter2");
    const event = stamp(candidate, 0, options);
    expect(JSON.stringify(event)).not.toContain("hunter2");
    expect(event.content.text).toContain("echo ‹redacted›");
    const told = JSON.stringify([candidate.question, candidate.content.text]);
    expect(event.contentHash).toBe(createHash("sha256").update(told).digest("hex"));
  });

  it("says how much of it is hidden, and is whole for its own user alone", async () => {
    const secret = ["npm", "_", "abcdefGHIJKLmnop0123456789QRSTUVWXYZ"].join("");
    const event = stamp(await candidateOf(`echo ${secret}`), 0, { ...options, redact: safeText });
    expect(event.content.hidden).toEqual({ characters: 36, kinds: ["token"] });
    expect(JSON.stringify(event)).not.toContain(secret);
    expect(revealPrompt(event)).toContain(`echo ${secret}`);
    const plain = stamp(await candidateOf("ls"), 0, { ...options, redact: safeText });
    expect(plain.content).not.toHaveProperty("hidden");
    expect(revealPrompt(plain)).toBeNull();
  });

  it("keeps nothing of a secret", async () => {
    const { candidate } = await detectOn(generic, "Password: ");
    if (!candidate) throw new Error("nothing was found");
    const event = stamp(candidate, 0, options);
    expect(event).toMatchObject({ promptType: "secret", choices: [], content: { text: "" } });
  });

  it("cuts its excerpt to 200 bytes between characters", async () => {
    const question = "👩‍👩‍👧‍👦".repeat(20);
    const { candidate } = await detectOn(generic, `${question}? (y/n) `, { cols: 200 });
    if (!candidate) throw new Error("nothing was found");
    const { excerpt } = stamp(candidate, 0, options);
    expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(200);
    expect(excerpt.endsWith("👦…")).toBe(true);
  });
});

describe("the adapter spec's stateless call", () => {
  it.each([
    [claude, "Do you want to overwrite /src/main.py? (y/n) ", "yes_no"],
    [claude, "Run bash command? (y/n)\r\n  $ git push origin main --force", "yes_no"],
    [generic, "Select an option:\r\n1) Build\r\n2) Test\r\nEnter choice [1-2]: ", "multiple_choice"],
    [generic, "Press Enter to continue...", "confirm_enter"],
  ])("finds what the last bytes ask (%#)", async (adapter, text, promptType) => {
    expect(await detectBuffer(adapter, Buffer.from(text), options)).toMatchObject({ promptType, epoch: 0 });
  });

  it("finds nothing in plain output, and takes no unread screen for a question", async () => {
    expect(await detectBuffer(generic, Buffer.from("building...\ndone\n"), options)).toBeNull();
    expect(await detectBuffer(claude, Buffer.from("building...\ndone"), options)).toBeNull();
  });

  it("looks at the last 4096 bytes only", async () => {
    const buffer = Buffer.from(`${"x".repeat(5000)}\r\nContinue? (y/n) `);
    expect(await detectBuffer(generic, buffer, options)).toMatchObject({ excerpt: "Continue?" });
  });

  it("gives the same key for the same buffer and session", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => detectBuffer(generic, Buffer.from("Continue? (y/n) "), options)),
    );
    expect(first?.idempotencyKey).toBe(second?.idempotencyKey);
  });
});

describe("the adapter spec's key by time", () => {
  it("is the SHA-256 of session, excerpt and window", () => {
    const expected = createHash("sha256").update("s:Continue?:200").digest("hex");
    expect(makeIdempotencyKey("s", "Continue?", 1_003_999)).toBe(expected);
  });

  it("changes with the window only", () => {
    const at = (ms: number): string => makeIdempotencyKey("s", "q", ms);
    expect(at(0)).toBe(at(4999));
    expect(at(4999)).not.toBe(at(5000));
    expect(makeIdempotencyKey("s", "q", 9000, 10)).toBe(makeIdempotencyKey("s", "q", 0, 10));
  });
});

describe("recent keys", () => {
  const key = (index: number): IdempotencyKey => asId<IdempotencyKey>(`key ${index}`);

  it("know a key that was seen", () => {
    const recent = new RecentKeys();
    expect(recent.seen(key(1))).toBe(false);
    expect(recent.seen(key(1))).toBe(true);
  });

  it("forget the least recently seen of more than 32", () => {
    const recent = new RecentKeys();
    for (let index = 0; index < 32; index++) recent.seen(key(index));
    recent.seen(key(0));
    recent.seen(key(32));
    expect(recent.seen(key(0))).toBe(true);
    expect(recent.seen(key(1))).toBe(false);
  });
});
