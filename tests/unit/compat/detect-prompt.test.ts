/** The stateless call of the adapter spec finds the prompt at the end of a buffer, by the last 4096 bytes only. */
import { describe, expect, it } from "vitest";
import { detectPrompt } from "../../../src/compat/detect-prompt.js";
import { asId, type SessionId } from "../../../src/model/ids.js";
import { ManualClock } from "../../../src/observe/clock.js";
import { shippedAdapter } from "../worker/detection/screens.js";

const options = {
  sessionId: asId<SessionId>("5f0c6a4e-8a54-4f0a-9b43-0b7e5c1d2e3f"),
  random: { uuid: () => "11111111-1111-4111-8111-111111111111" },
  clock: new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5)),
  redact: (text: string) => text,
};

const claude = shippedAdapter("claude");
const generic = shippedAdapter("generic");

describe("the adapter spec's stateless call", () => {
  it.each([
    [claude, "Do you want to overwrite /src/main.py? (y/n) ", "yes_no"],
    [claude, "Run bash command? (y/n)\r\n  $ git push origin main --force", "yes_no"],
    [generic, "Select an option:\r\n1) Build\r\n2) Test\r\nEnter choice [1-2]: ", "multiple_choice"],
    [generic, "Press Enter to continue...", "confirm_enter"],
  ])("finds what the last bytes ask (%#)", async (adapter, text, promptType) => {
    expect(await detectPrompt(adapter, Buffer.from(text), options)).toMatchObject({ promptType, epoch: 0 });
  });

  it("finds nothing in plain output, and takes no unread screen for a question", async () => {
    expect(await detectPrompt(generic, Buffer.from("building...\ndone\n"), options)).toBeNull();
    expect(await detectPrompt(claude, Buffer.from("building...\ndone"), options)).toBeNull();
  });

  it("looks at the last 4096 bytes only", async () => {
    const buffer = Buffer.from(`${"x".repeat(5000)}\r\nContinue? (y/n) `);
    expect(await detectPrompt(generic, buffer, options)).toMatchObject({ excerpt: "Continue?" });
  });

  it("gives the same key for the same buffer and session", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => detectPrompt(generic, Buffer.from("Continue? (y/n) "), options)),
    );
    expect(first?.idempotencyKey).toBe(second?.idempotencyKey);
  });
});
