/** The answer on a line is confirmed once the tool has read it, and not when the terminal shows it. */
import { describe, expect, it } from "vitest";
import { DEFAULT_TIMINGS } from "../../../../src/worker/answer/timings.js";
import { inject, requireReceipt } from "./attempt.js";
import { FakePort } from "./fake-port.js";
import { makeCandidate, makeChoices, makeView } from "./make.js";

const ASKED = "Delete all files? [y/N]";
/** As long as a line is waited for that the terminal holds and nobody reads. */
const NEVER_MS = DEFAULT_TIMINGS.effectWithinMs * 2;

describe("the answer of a line that the terminal shows behind its question", () => {
  const choices = makeChoices({ label: "Yes", answer: { by: "line", text: "y" } }, { label: "No" });
  const line = makeCandidate({ shape: "yes_no", promptType: "yes_no", choices });

  /** The kernel shows the line and ends it; the tool reads it after so long. */
  function echoes(readAfterMs: number): FakePort {
    const port = new FakePort(line, makeView([ASKED], { cursor: [24, 0] }));
    port.react = (keys) => {
      const readAt = port.clock.monotonic() + readAfterMs;
      const unread = (): number => (port.clock.monotonic() < readAt ? keys.length : 0);
      port.inTerminal = () => ({ input: unread(), output: 0 });
      port.drawIn(1, null, [`${ASKED} y`, ""], { cursor: [0, 1] });
    };
    return port;
  }

  it("is confirmed once the tool has read it", async () => {
    expect((await requireReceipt(inject(echoes(2), line, "y"))).outcome).toBe("answered");
  });

  it("is confirmed when a busy tool reads it a second later", async () => {
    expect((await requireReceipt(inject(echoes(1000), line, "y"))).outcome).toBe("answered");
  });

  it("is not confirmed while the tool has not read it, whatever it writes", async () => {
    const port = echoes(NEVER_MS);
    port.drawIn(300, null, [`${ASKED} y`, "Timed out: No.", ""], { cursor: [0, 2] });
    expect(await requireReceipt(inject(port, line, "y"))).toMatchObject({
      outcome: "uncertain",
      evidence: "the terminal took the line, but the tool has not read it",
    });
  });

  it("is not confirmed when a busy kernel carries it to the terminal late, and the tool does not read it", async () => {
    const port = new FakePort(line, makeView([ASKED], { cursor: [24, 0] }));
    port.react = (keys) => {
      const arrivesAt = port.clock.monotonic() + 60;
      const unread = (): number => (port.clock.monotonic() < arrivesAt ? 0 : keys.length);
      port.inTerminal = () => ({ input: unread(), output: 0 });
      port.drawIn(60, null, [`${ASKED} y`, ""], { cursor: [0, 1] });
    };
    expect(await requireReceipt(inject(port, line, "y"))).toMatchObject({
      outcome: "uncertain",
      evidence: "the terminal took the line, but the tool has not read it",
    });
  });

  it("is not confirmed when the tool ends without having read it", async () => {
    const port = echoes(NEVER_MS);
    port.clock.after(300, () => port.end());
    expect((await requireReceipt(inject(port, line, "y"))).outcome).toBe("uncertain");
  });

  it("is confirmed when the tool reads it and ends at once", async () => {
    const port = echoes(300);
    port.clock.after(300, () => port.end());
    expect((await requireReceipt(inject(port, line, "y"))).outcome).toBe("answered");
  });

  it("is not confirmed when somebody typed before it was read: Ctrl-C throws it away", async () => {
    const port = echoes(2000);
    port.clock.after(1500, () => port.type());
    expect(await requireReceipt(inject(port, line, "y"))).toMatchObject({
      outcome: "uncertain",
      evidence: "somebody typed before an effect was seen",
    });
  });

  it("is confirmed by what is seen where the system does not tell", async () => {
    const port = echoes(2);
    const react = port.react;
    port.react = (keys) => {
      react(keys);
      port.inTerminal = () => null;
    };
    expect((await requireReceipt(inject(port, line, "y"))).outcome).toBe("answered");
  });
});

describe("the letter of a program that may act on it without Enter", () => {
  const choices = makeChoices({ label: "Yes" }, { label: "No", answer: { by: "typed", text: "n" } });
  const typed = makeCandidate({ shape: "yes_no", promptType: "yes_no", choices });

  it("is confirmed when the program leaves the foreground before its end is known", async () => {
    const port = new FakePort(typed, makeView(["Fix<y>?"], { cursor: [8, 0] }));
    port.react = () => {
      port.group = null;
      port.draw(null, ["Fix<y>? no", ""], { cursor: [0, 1] });
      port.clock.after(20, () => port.end());
    };
    expect((await requireReceipt(inject(port, typed, "n"))).outcome).toBe("answered");
    expect(port.written).toEqual(["n"]);
  });

  it("is not confirmed when another program comes to the foreground below the question", async () => {
    const port = new FakePort(typed, makeView(["Fix<y>?"], { cursor: [8, 0] }));
    port.react = () => (port.group = 1);
    expect((await requireReceipt(inject(port, typed, "n"))).outcome).not.toBe("answered");
    expect(port.written).toEqual(["n"]);
  });

  const word = makeCandidate({
    region: { top: 0, bottom: 0 },
    shape: "yes_no",
    promptType: "yes_no",
    choices: makeChoices(
      { label: "Yes", answer: { by: "typed", text: "yes" } },
      { label: "No", answer: { by: "typed", text: "no" } },
    ),
  });
  const QUESTION = "Show it? (yes/no)";
  const onQuestion = () => new FakePort(word, makeView([QUESTION], { cursor: [QUESTION.length + 1, 0] }));

  it("is all that is written of a word when the program acts on it", async () => {
    const port = onQuestion();
    port.react = () => port.draw(null, [QUESTION, "Delete all? [e]rase"], { cursor: [20, 1] });
    expect((await requireReceipt(inject(port, word, "y"))).outcome).toBe("answered");
    expect(port.written).toEqual(["y"]);
  });

  it("is followed by the rest and Enter while it stands alone behind the question", async () => {
    const port = onQuestion();
    let typed = "";
    port.react = (keys) => {
      typed += keys;
      const shown = `${QUESTION} ${typed.trimEnd()}`;
      if (typed.endsWith("\r")) port.draw(null, [shown, ""], { cursor: [0, 1] });
      else port.draw(null, [shown], { cursor: [shown.length, 0] });
    };
    expect((await requireReceipt(inject(port, word, "y"))).outcome).toBe("answered");
    expect(port.written).toEqual(["y", "es", "\r"]);
  });

  it("ends uncertain when nothing is seen of it: it may have been the answer", async () => {
    const port = onQuestion();
    port.react = () => undefined;
    expect((await requireReceipt(inject(port, word, "y"))).outcome).toBe("uncertain");
    expect(port.written).toEqual(["y"]);
  });

  it("ends uncertain, without Enter, when the program reads no more in the mode in which it asked", async () => {
    const port = onQuestion();
    let isToolReading = true;
    port.react = (keys) => {
      isToolReading = false;
      port.draw(word, [`${QUESTION} ${keys}`], { cursor: [QUESTION.length + 2, 0] });
    };
    const receipt = await requireReceipt(
      inject(port, word, "y", { options: { isToolReading: () => isToolReading } }),
    );
    expect(receipt.outcome).toBe("uncertain");
    expect(port.written).toEqual(["y"]);
  });
});

describe("a key that the terminal echoes", () => {
  const choices = makeChoices({ label: "Yes", answer: { by: "key", key: "y" } }, { label: "No" });
  const oneKey = makeCandidate({
    region: { top: 0, bottom: 0 },
    shape: "yes_no",
    promptType: "yes_no",
    choices,
  });

  it.each([
    [true, "uncertain"],
    [false, "answered"],
  ])("is an effect only when the program reads no more: it reads: %s", async (reads, outcome) => {
    const port = new FakePort(oneKey, makeView(["Go on? [y/n]"], { cursor: [13, 0] }));
    let isToolReading = true;
    port.react = () => {
      isToolReading = reads;
      port.draw(null, ["Go on? [y/n] y"], { cursor: [14, 0] });
    };
    const receipt = await requireReceipt(
      inject(port, oneKey, "y", { options: { isToolReading: () => isToolReading } }),
    );
    expect(receipt.outcome).toBe(outcome);
  });
});
