/** `detect_prompt` of the adapter spec finds the prompt at the end of a buffer, by the last 4096 bytes only, and each prompt once. */
import { describe, expect, it } from "vitest";
import { BufferDetector } from "../../../src/compat/detect-prompt.js";
import { asId, type SessionId } from "../../../src/model/ids.js";
import { ManualClock } from "../../../src/observe/clock.js";
import { shippedAdapter } from "../worker/detection/screens.js";

const options = {
  sessionId: asId<SessionId>("5f0c6a4e-8a54-4f0a-9b43-0b7e5c1d2e3f"),
  random: { uuid: () => "11111111-1111-4111-8111-111111111111" },
  clock: new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5)),
  safeText: (text: string) => text,
};

const detectOnce = (adapter: typeof generic, buffer: Uint8Array) =>
  new BufferDetector(adapter, options).detect(buffer);

const claude = shippedAdapter("claude");
const generic = shippedAdapter("generic");

describe("the adapter spec's stateless call", () => {
  it.each([
    [claude, "Do you want to overwrite /src/main.py? (y/n) ", "yes_no"],
    [claude, "Run bash command? (y/n)\r\n  $ git push origin main --force", "yes_no"],
    [generic, "Select an option:\r\n1) Build\r\n2) Test\r\nEnter choice [1-2]: ", "multiple_choice"],
    [generic, "Press Enter to continue...", "confirm_enter"],
  ])("finds what the last bytes ask (%#)", async (adapter, text, promptType) => {
    expect(await detectOnce(adapter, Buffer.from(text))).toMatchObject({ promptType, epoch: 0 });
  });

  it("finds nothing in plain output, and takes no unread screen for a question", async () => {
    expect(await detectOnce(generic, Buffer.from("building...\ndone\n"))).toBeNull();
    expect(await detectOnce(claude, Buffer.from("building...\ndone"))).toBeNull();
  });

  it("looks at the last 4096 bytes only", async () => {
    const buffer = Buffer.from(`${"x".repeat(5000)}\r\nContinue? (y/n) `);
    expect(await detectOnce(generic, buffer)).toMatchObject({ excerpt: "Continue?" });
  });

  it("gives the same key for the same buffer and session", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => detectOnce(generic, Buffer.from("Continue? (y/n) "))),
    );
    expect(first?.idempotencyKey).toBe(second?.idempotencyKey);
  });

  describe("over the buffers of one session", () => {
    const QUESTION = "Continue? (y/n) ";
    const open = () => {
      const detector = new BufferDetector(generic, options);
      return { detector, look: (text: string) => detector.detect(Buffer.from(text)) };
    };

    it("never gives the same prompt twice, also when it is asked twice at once", async () => {
      const { look } = open();
      const both = await Promise.all([look(QUESTION), look(QUESTION)]);
      expect(both.map((event) => event !== null)).toEqual([true, false]);
      expect(await look(`\u001b[1m${QUESTION}\u001b[0m`)).toBeNull();
    });

    it("says when what it has given does not stand there any more", async () => {
      const { detector, look } = open();
      expect(detector.isAsking).toBe(false);
      await look(QUESTION);
      await look(`\u001b[1m${QUESTION}\u001b[0m`);
      expect(detector.isAsking).toBe(true);
      await look(`${QUESTION}\r\ntimed out, going on\r\n`);
      expect(detector.isAsking).toBe(false);
    });

    it("gives the same words again as another prompt after something else stood there", async () => {
      const { look } = open();
      const first = await look(QUESTION);
      expect(await look(`${QUESTION}y\r\nworking`)).toBeNull();
      const again = await look(`${QUESTION}y\r\nworking\r\n${QUESTION}`);
      expect(again).toMatchObject({ excerpt: "Continue?" });
      expect(again?.idempotencyKey).not.toBe(first?.idempotencyKey);
    });

    it("gives the same words again after an answer, but never the buffer that was answered", async () => {
      const { detector, look } = open();
      await look(QUESTION);
      detector.noteAnswered();
      expect(await look(QUESTION)).toBeNull();
      expect(await look(`${QUESTION}y\r\n${QUESTION}`)).toMatchObject({ epoch: 1 });
    });
  });
});
