/**
 * An answer is confirmed only by an effect that its last key can have had. Enter follows pasted text once it is seen in its
 * field, and is sent again only while the text still stands there.
 */
import { describe, expect, it } from "vitest";
import { asId, type Fingerprint } from "../../../../src/model/ids.js";
import { DEFAULT_TIMINGS, ENTER_RESENDS_MAX } from "../../../../src/worker/answer/timings.js";
import { inject, other, requireReceipt } from "./attempt.js";
import { FakePort } from "./fake-port.js";
import { makeCandidate, makeChoices, makeView } from "./make.js";

describe("the proof of an answer", () => {
  const raised = makeCandidate({ endsTool: [2] });

  it("is the question leaving the screen", async () => {
    const port = new FakePort(raised);
    port.react = () => port.drawIn(40, null);
    const receipt = await requireReceipt(inject(port, raised, "1"));
    expect(receipt).toMatchObject({
      outcome: "answered",
      proof: "effect",
      bytesWritten: 1,
      fingerprintAfter: null,
    });
    expect(receipt.fingerprintBefore).toBe(raised.fingerprint);
  });

  it("is another question taking its place, once the tool can have read the key", async () => {
    const port = new FakePort(raised);
    port.react = () => port.drawIn(150, other);
    const receipt = await requireReceipt(inject(port, raised, "1"));
    expect(receipt).toMatchObject({ outcome: "answered", fingerprintAfter: other.fingerprint });
    expect(port.written).toEqual(["1"]);
  });

  it("is no other question that was drawn before the tool can have read the key, and then left", async () => {
    const port = new FakePort(raised);
    port.react = () => {
      port.drawIn(20, other);
      port.drawIn(40, null);
    };
    expect(await requireReceipt(inject(port, raised, "1"))).toMatchObject({
      outcome: "uncertain",
      evidence: expect.stringContaining("another question") as string,
    });
  });

  it("is a dialog that the tool draws again only after a key, unless somebody else typed one", async () => {
    const over = makeCandidate({ reveals: { rule: other.rule, withinMs: 1000 } });
    for (const typed of [false, true]) {
      const port = new FakePort(over);
      port.react = () => {
        if (typed) port.clock.after(10, () => (port.typed = port.clock.monotonic()));
        port.drawIn(20, other);
        port.drawIn(40, null);
      };
      expect((await requireReceipt(inject(port, over, "1"))).outcome).toBe(typed ? "uncertain" : "answered");
    }
  });

  it("is such a question that stands on: it did not take the key", async () => {
    const port = new FakePort(raised);
    port.react = () => port.drawIn(20, other);
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe("answered");
  });

  it("is such a question where the kernel says that the key was read before", async () => {
    const port = new FakePort(raised);
    let looks = 0;
    port.react = () => {
      port.inTerminal = () => ({ input: looks++ < 3 ? 1 : 0, output: 0 });
      port.drawIn(20, other);
    };
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe("answered");
  });

  it.each([
    ["while the key is still unread", () => ({ input: 1, output: 0 })],
    ["before it was read", () => ({ input: 0, output: 400 })],
  ])("is missing when the kernel says that something was drawn %s", async (_, queues) => {
    const port = new FakePort(raised);
    port.react = () => {
      port.inTerminal = queues;
      port.drawIn(1, other);
      port.drawIn(30, null);
    };
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe("uncertain");
  });

  it.each([
    ["that asks something of its own", ["Leave the sandbox?", "a allow · d deny"], 20, "uncertain"],
    ["that asks nothing", ["Removing build"], 20, "answered"],
    ["that comes when the tool can have read the key", ["Leave the sandbox?"], 150, "answered"],
  ])("may be missing after a screen that cannot be read, %s, and left", async (_, rows, ms, outcome) => {
    const port = new FakePort(raised);
    port.react = () => {
      port.drawIn(ms, makeCandidate({ promptType: "unknown" }), rows);
      port.drawIn(ms + 20, null, ["Done"]);
    };
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe(outcome);
  });

  it("is missing when the question leaves, and the key is never read", async () => {
    const port = new FakePort(raised);
    port.react = () => {
      port.inTerminal = () => ({ input: 1, output: 0 });
      port.drawIn(300, null);
    };
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe("uncertain");
  });

  it("is missing when the tool is ended from outside and takes its question away", async () => {
    for (const isDead of [true, false]) {
      const port = new FakePort(makeCandidate({ endsTool: [1] }));
      port.react = () => {
        port.ended = true;
        port.draw(null);
        if (isDead) port.end();
      };
      expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe("uncertain");
    }
  });

  it("is missing when nothing happens, and the key is not sent again", async () => {
    const port = new FakePort(raised);
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe("uncertain");
    expect(port.written).toEqual(["1"]);
  });

  it.each([
    ["is missing when the question was only redrawn, or an equal one follows at once", [], [], "uncertain"],
    ["is a screen of work between two equal questions", [], ["Working…"], "answered"],
    ["is no spinner that turned before, too", ["Working…"], ["Working…"], "uncertain"],
  ])("%s", async (_, rows, rowsBetween, outcome) => {
    const port = new FakePort(raised, makeView(rows));
    port.react = () => {
      port.draw(null, rowsBetween);
      port.drawIn(44, raised, rows);
    };
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe(outcome);
  });

  it.each([
    ["is missing when the question comes back before the receipt is written", [], "uncertain"],
    [
      "is the work before an equal question that comes before the receipt is written",
      ["Working…"],
      "answered",
    ],
  ])("%s", async (_, rowsBetween, outcome) => {
    const port = new FakePort(raised);
    port.react = () => {
      port.draw(null);
      port.meanwhile = () => {
        port.draw(null, rowsBetween);
        port.draw(raised);
      };
    };
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe(outcome);
  });

  it("is not read from a half-drawn picture", async () => {
    const port = new FakePort(raised);
    port.react = () => {
      port.draw(null, [], { modes: { synchronizedUpdate: true } });
      port.drawIn(500, raised);
    };
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe("uncertain");
  });

  it.each([
    ["2", "answered"],
    ["1", "uncertain"],
  ])("of a tool that ends with the question still drawn: %s is %s", async (value, outcome) => {
    const port = new FakePort(raised);
    port.react = () => port.clock.after(30, () => port.end());
    expect(await requireReceipt(inject(port, raised, value))).toMatchObject({
      outcome,
      endsTool: value === "2",
    });
  });

  it("of a script whose last question it was is the question leaving before the end", async () => {
    const port = new FakePort(raised);
    port.react = () => {
      port.draw(null);
      port.end();
    };
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe("answered");
  });

  it("of a line is the same question asked again below the typed answer", async () => {
    const choices = makeChoices({ label: "Yes", answer: { by: "line", text: "y" } }, { label: "No" });
    const line = makeCandidate({ promptType: "yes_no", choices });
    const port = new FakePort(line, makeView(["Go on? [y/n]"], { cursor: [13, 0] }));
    port.react = () => port.drawIn(5, line, ["Go on? [y/n] y", "Go on? [y/n]"], { cursor: [13, 1] });
    expect((await requireReceipt(inject(port, line, "y"))).outcome).toBe("answered");
    expect(port.written).toEqual(["y\r"]);
  });
});

describe("a key for a line that no rule describes", () => {
  const line = makeCandidate({
    rule: "unread",
    promptType: "unknown",
    choices: [],
    highlighted: null,
    question: "Name:",
    region: { top: 1, bottom: 1 },
  });
  const rows = ["one", "Name:"];
  const drawn = { ...line, fingerprint: asId<Fingerprint>("with its echo"), drawn: "Name:^[" };

  it.each([
    ["esc", "is not confirmed by its own echo", drawn, ["one", "Name:^["], "uncertain"],
    ["enter", "is not confirmed by the line feed of the terminal", null, ["one", "Name:", ""], "uncertain"],
    ["enter", "is confirmed by what the program writes below", null, ["one", "Name:", "Hello"], "answered"],
    ["enter", "is confirmed by the same line asked again", line, ["one", "Name:", "Name:"], "answered"],
    ["esc", "is confirmed when all of it has left", null, ["$"], "answered"],
  ])("%s %s", async (value, _, live, after, outcome) => {
    const port = new FakePort(line, makeView(rows, { cursor: [5, 1] }));
    port.react = () => port.drawIn(10, live, after, { cursor: [0, 2] });
    expect((await requireReceipt(inject(port, line, value))).outcome).toBe(outcome);
    expect(port.written).toHaveLength(1);
  });
});

describe("text that an answer pastes", () => {
  const paste = { modes: { bracketedPaste: true } };
  const box = makeCandidate({
    promptType: "free_text",
    question: "What shall I do instead?",
    choices: [],
    highlighted: null,
    textEntry: "paste",
    constraints: { maxLength: 4000, multiline: true },
    region: { top: 0, bottom: 2 },
  });
  const empty = ["What shall I do instead?", "❯ "];
  const filled = ["What shall I do instead?", "❯ use another file"];
  const inBox = (): FakePort => new FakePort(box, makeView(empty, paste));
  const PASTED = "\u001b[200~use another file\u001b[201~";

  it.each([
    [10, 10 + DEFAULT_TIMINGS.pasteGapMs],
    [400, 2 * 400],
    [1500, 1500 + DEFAULT_TIMINGS.pasteGapMaxMs],
  ])(
    "that is seen in its field after %i ms is confirmed with Enter alone, no sooner than its tool is done with it",
    async (seenMs, enterMs) => {
      const port = inBox();
      const times: number[] = [];
      port.react = (keys) => {
        times.push(port.clock.monotonic());
        if (keys === PASTED) port.drawIn(seenMs, box, filled, paste);
        else port.drawIn(10, box, empty, paste);
      };
      const receipt = await requireReceipt(inject(port, box, "use another file"));
      expect(receipt).toMatchObject({ outcome: "answered", bytesWritten: PASTED.length + 1 });
      expect(port.written).toEqual([PASTED, "\r"]);
      expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(enterMs);
    },
  );

  it("that is dropped is not confirmed: Enter would take the default", async () => {
    const port = inBox();
    expect((await requireReceipt(inject(port, box, "use another file"))).outcome).toBe("failed");
    expect(port.written).toEqual([PASTED]);
  });

  it("is known again across wraps, borders, in a column of its own and in the fold of a long paste", async () => {
    const boxed = ["│ ❯ use ano │", "│   ther file │"];
    const besideWords = ["❯3. use ano   (Esc to", "    ther file stop)"];
    for (const rows of [boxed, besideWords, ["❯ [Pasted text #1 +12 lines]"]]) {
      const port = inBox();
      port.react = (keys) => port.draw(keys === "\r" ? null : box, keys === "\r" ? [] : rows, paste);
      expect((await requireReceipt(inject(port, box, "use another file"))).outcome).toBe("answered");
    }
  });

  it("of which a part is missing is not confirmed", async () => {
    const port = inBox();
    port.react = () => port.draw(box, ["❯3. use ano   (Esc to", "    er file   stop)"], paste);
    expect((await requireReceipt(inject(port, box, "use another file"))).outcome).not.toBe("answered");
    expect(port.written).toEqual([PASTED]);
  });

  it("that still stands there after a redraw gets Enter again, but not for ever", async () => {
    const port = inBox();
    port.react = () => port.drawIn(10, box, [...filled, ""], paste);
    expect((await requireReceipt(inject(port, box, "use another file"))).outcome).toBe("uncertain");
    expect(port.written).toEqual([PASTED, ...Array<string>(1 + ENTER_RESENDS_MAX).fill("\r")]);
  });

  it("in a tool that froze gets no second Enter: it could answer the next dialog", async () => {
    const port = inBox();
    port.react = (keys) => {
      if (keys === PASTED) port.draw(box, filled, paste);
    };
    expect((await requireReceipt(inject(port, box, "use another file"))).outcome).toBe("uncertain");
    expect(port.written).toEqual([PASTED, "\r"]);
  });

  it("gets no second Enter when something else stands there by then", async () => {
    const port = inBox();
    port.react = (keys) =>
      keys === PASTED ? port.draw(box, filled, paste) : port.drawIn(900, other, ["Delete it?"], paste);
    expect((await requireReceipt(inject(port, box, "use another file"))).outcome).toBe("answered");
    expect(port.written).toEqual([PASTED, "\r"]);
  });

  it("gets no second Enter in the row of a list, where the next question may follow, but all the time it needs", async () => {
    const choices = makeChoices({ label: "Postgres" }, { label: "Type something.", takesText: "required" });
    const raised = makeCandidate({ choices, highlighted: 2, region: { top: 0, bottom: 2 } });
    const port = new FakePort(raised, makeView(["Which?", "  Postgres", "❯ Type something."], paste));
    const rows = ["Which?", "  Postgres", "❯ use another file"];
    port.react = (keys) => {
      port.draw(raised, [...rows, keys], paste);
      if (keys === "\r") port.drawIn(3000, null);
    };
    const receipt = await requireReceipt(inject(port, raised, "2", { text: "use another file" }));
    expect(receipt.outcome).toBe("answered");
    expect(port.written).toEqual([PASTED, "\r"]);
  });

  it.each([
    [
      "is confirmed when its field pushes the beginning of the question off a small screen",
      "Wire it in.",
      {},
      2,
    ],
    ["is not when another question stands there", "Take it out.", {}, 1],
    ["is not when the question is shorter although nothing is cut", "Wire it in.", null, 1],
  ])("%s", async (_, question, cut, writes) => {
    const choices = makeChoices({ label: "Accept" }, { label: "Suggest", takesText: "required" });
    const asked = { choices, highlighted: 2, region: { top: 0, bottom: 3 } };
    const raised = makeCandidate({
      ...asked,
      question: "Add a helper. Wire it in.",
      content: { text: "", cut: {} },
    });
    const fingerprint = asId<Fingerprint>("grown");
    const grown = makeCandidate({ ...asked, question, content: { text: "", cut }, fingerprint });
    const port = new FakePort(
      raised,
      makeView(["Add a helper.", "Wire it in.", "  Accept", "❯ Suggest"], paste),
    );
    port.react = (keys) =>
      keys === "\r"
        ? port.drawIn(10, null)
        : port.draw(grown, ["Wire it in.", "  Accept", "❯ use another", "  file"], paste);
    await inject(port, raised, "2", { text: "use another file" });
    expect(port.written).toHaveLength(writes);
  });

  it("on an unread screen is proved by leaving it", async () => {
    const unread = makeCandidate({ promptType: "unknown", choices: [], highlighted: null });
    const port = new FakePort(unread, makeView(["?"], paste));
    port.react = (keys) => port.drawIn(10, null, keys === "\r" ? ["?"] : ["? hello"], paste);
    expect((await requireReceipt(inject(port, unread, "text:hello"))).outcome).toBe("answered");
    const stuck = new FakePort(unread, makeView(["?"], paste));
    stuck.react = () => stuck.drawIn(10, null, ["? hello"], paste);
    expect((await requireReceipt(inject(stuck, unread, "text:hello"))).outcome).toBe("uncertain");
    expect(stuck.written).toHaveLength(2);
  });

  it("on an unread screen is not confirmed once a dialog is read there", async () => {
    const unread = makeCandidate({ rule: "unread", promptType: "unknown", choices: [], highlighted: null });
    const port = new FakePort(unread, makeView(["?"], paste));
    port.react = () => port.draw(other, ["? hello"], paste);
    await inject(port, unread, "text:hello");
    expect(port.written).toHaveLength(1);
  });
});
