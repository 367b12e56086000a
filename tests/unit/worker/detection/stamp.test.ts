/** A stamped prompt carries what the hub needs, is redacted for people, and is hashed as the tool shows it. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { createIdempotencyKey } from "../../../../src/worker/detection/stamp.js";
import { revealPrompt, stamp } from "../../../../src/worker/detection/stamp.js";
import { sanitizeText } from "../../../../src/safety/safe-text.js";
import { bashDialog, detectOn, shippedAdapter } from "./screens.js";

const session = asId<SessionId>("5f0c6a4e-8a54-4f0a-9b43-0b7e5c1d2e3f");
const options = {
  sessionId: session,
  random: { uuid: () => "11111111-1111-4111-8111-111111111111" },
  clock: new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5)),
  safeText: (text: string) => text.replaceAll("hunter2", "‹redacted›"),
};
const claude = shippedAdapter("claude");
const generic = shippedAdapter("generic");

async function detectCandidate(command: string) {
  const { rows, cursor } = bashDialog({ command, choices: ["Yes", "Yes, and allow hunter2", "No"] });
  const { candidate } = await detectOn(claude, rows, { alternate: true, cursor });
  if (!candidate) throw new Error("nothing was found");
  return candidate;
}

describe("a stamped prompt", () => {
  it("carries what the hub needs and nothing of how choices are typed", async () => {
    const candidate = await detectCandidate("rm -rf build");
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
    expect(event.idempotencyKey).toBe(createIdempotencyKey(session, 3, candidate.fingerprint));
  });

  it("says that more stands above it where nothing is known of its tool", async () => {
    const question = ["Do you want to perform these actions?", "  Only 'yes' is accepted.", ""];
    const rows = ["Plan: 1 to destroy.", "", ...question, "  Enter a value: "];
    const { candidate } = await detectOn(generic, rows, { signals: { blockedOnRead: true } });
    if (!candidate) throw new Error("nothing was found");
    const { content } = stamp(candidate, 0, { ...options, notesTextAbove: true });
    expect(content.text).toMatch(/^Do you want to perform these actions\?/);
    expect(content.cut).toEqual({ above: true });
    expect(stamp(candidate, 0, options).content.cut).toBeNull();
  });

  it("is redacted for people, and hashed as the tool shows it", async () => {
    const candidate = await detectCandidate("echo hunter2");
    const event = stamp(candidate, 0, options);
    expect(JSON.stringify(event)).not.toContain("hunter2");
    expect(event.content.text).toContain("echo ‹redacted›");
    const told = JSON.stringify([candidate.question, candidate.content.text]);
    expect(event.contentHash).toBe(createHash("sha256").update(told).digest("hex"));
  });

  it("says how much of it is hidden, and is whole for its own user alone", async () => {
    const secret = ["npm", "_", "abcdefGHIJKLmnop0123456789QRSTUVWXYZ"].join("");
    const event = stamp(await detectCandidate(`echo ${secret}`), 0, { ...options, safeText: sanitizeText });
    expect(event.content.hidden).toEqual({ characters: 36, kinds: ["token"] });
    expect(JSON.stringify(event)).not.toContain(secret);
    expect(revealPrompt(event)).toContain(`echo ${secret}`);
    const plain = stamp(await detectCandidate("ls"), 0, { ...options, safeText: sanitizeText });
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
