import { describe, expect, it } from "vitest";
import { DEFAULT_TIMINGS } from "../../../../src/worker/answer/timings.js";
import { inject, receiptOf } from "./attempt.js";
import { FakeHands } from "./fake-hands.js";
import { candidateOf, choicesOf, viewOf } from "./make.js";

const ASKED = "Delete all files? [y/N]";
/** As long as a line is waited for that the terminal holds and nobody reads. */
const NEVER_MS = DEFAULT_TIMINGS.effectWithinMs * 2;

describe("the answer of a line that the terminal shows behind its question", () => {
  const choices = choicesOf({ label: "Yes", answer: { by: "line", text: "y" } }, { label: "No" });
  const line = candidateOf({ shape: "yes_no", promptType: "yes_no", choices });

  /** The kernel shows the line and ends it; the tool reads it after so long. */
  function echoes(readAfterMs: number): FakeHands {
    const hands = new FakeHands(line, viewOf([ASKED], { cursor: [24, 0] }));
    hands.react = (keys) => {
      const readAt = hands.clock.monotonic() + readAfterMs;
      const unread = (): number => (hands.clock.monotonic() < readAt ? keys.length : 0);
      hands.inTerminal = () => ({ input: unread(), output: 0 });
      hands.drawIn(1, null, [`${ASKED} y`, ""], { cursor: [0, 1] });
    };
    return hands;
  }

  it("is confirmed once the tool has read it", async () => {
    expect((await receiptOf(inject(echoes(2), line, "y"))).outcome).toBe("answered");
  });

  it("is confirmed when a busy tool reads it a second later", async () => {
    expect((await receiptOf(inject(echoes(1000), line, "y"))).outcome).toBe("answered");
  });

  it("is not confirmed while the tool has not read it, whatever it writes", async () => {
    const hands = echoes(NEVER_MS);
    hands.drawIn(300, null, [`${ASKED} y`, "Timed out: No.", ""], { cursor: [0, 2] });
    expect(await receiptOf(inject(hands, line, "y"))).toMatchObject({
      outcome: "uncertain",
      evidence: "the terminal took the line, but the tool has not read it",
    });
  });

  it("is not confirmed when the tool ends without having read it", async () => {
    const hands = echoes(NEVER_MS);
    hands.clock.after(300, () => hands.end());
    expect((await receiptOf(inject(hands, line, "y"))).outcome).toBe("uncertain");
  });

  it("is confirmed when the tool reads it and ends at once", async () => {
    const hands = echoes(300);
    hands.clock.after(300, () => hands.end());
    expect((await receiptOf(inject(hands, line, "y"))).outcome).toBe("answered");
  });

  it("is not confirmed when somebody typed before it was read: Ctrl-C throws it away", async () => {
    const hands = echoes(2000);
    hands.clock.after(1500, () => hands.type());
    expect(await receiptOf(inject(hands, line, "y"))).toMatchObject({
      outcome: "uncertain",
      evidence: "somebody typed before an effect was seen",
    });
  });

  it("is confirmed by what is seen where the system does not tell", async () => {
    const hands = echoes(2);
    const react = hands.react;
    hands.react = (keys) => {
      react(keys);
      hands.inTerminal = () => null;
    };
    expect((await receiptOf(inject(hands, line, "y"))).outcome).toBe("answered");
  });
});
