import { describe, expect, it } from "vitest";
import { asId, type Fingerprint } from "../../../src/model/ids.js";
import type { Receipt } from "../../../src/model/receipt.js";
import type { InjectionGate, InjectionResult } from "../../../src/sdk/adapter.js";
import type { Candidate } from "../../../src/sdk/candidate.js";
import { injectReply, type InjectOptions } from "../../../src/worker/answer/inject.js";
import { DEFAULT_TIMINGS, ENTER_RESENDS_MAX } from "../../../src/worker/answer/timings.js";
import { arrowList, behaveAsList, drive, FakeHands, GROUP } from "./fake-hands.js";
import { candidateOf, choicesOf, replyTo, viewOf } from "./make.js";

const open: InjectionGate = () => Promise.resolve();

/** A gate that opens after something has happened. */
function after(happen: () => void): InjectionGate {
  return () => {
    happen();
    return Promise.resolve();
  };
}

interface Attempt {
  readonly text?: string;
  readonly gate?: InjectionGate;
  readonly options?: Partial<InjectOptions>;
}

function inject(
  hands: FakeHands,
  raised: Candidate,
  value: string,
  { text, gate = open, options = {} }: Attempt = {},
): Promise<InjectionResult> {
  const all = { raisedGroup: GROUP, ...options };
  return drive(hands.clock, injectReply(hands, raised, replyTo(raised, value, text), gate, all));
}

async function receiptOf(result: Promise<InjectionResult>): Promise<Receipt> {
  const got = await result;
  if (got.kind !== "receipt") throw new Error(`refused: ${got.rejection.code}`);
  return got.receipt;
}

const other = candidateOf({ question: "Do you want to delete it?", fingerprint: asId<Fingerprint>("other") });

describe("before the gate", () => {
  const raised = candidateOf();

  it.each<[string, string, boolean, (hands: FakeHands) => void]>([
    ["another prompt stands there", "screen_moved", false, (hands) => hands.draw(other)],
    ["no prompt stands there", "screen_moved", false, (hands) => hands.draw(null)],
    ["the tool has ended", "session_gone", false, (hands) => hands.end()],
    ["another program is in the foreground", "screen_moved", true, (hands) => (hands.group = 1)],
    ["the foreground cannot be seen any more", "screen_moved", true, (hands) => (hands.group = null)],
  ])("nothing is written and nothing recorded when %s", async (_, code, stillAsked, happen) => {
    const hands = new FakeHands(raised);
    happen(hands);
    let recorded = false;
    const gate = after(() => (recorded = true));
    const result = await inject(hands, raised, "1", { gate });
    expect(result).toMatchObject({ kind: "refused", rejection: { code }, stillAsked });
    expect(hands.written).toEqual([]);
    expect(recorded).toBe(false);
  });

  it("a reply waits until a local key has had its effect", async () => {
    const hands = new FakeHands(raised);
    hands.type();
    hands.drawIn(100, other);
    expect(await inject(hands, raised, "1")).toMatchObject({ rejection: { code: "screen_moved" } });
    expect(hands.written).toEqual([]);
  });

  it("a reply is refused while somebody goes on typing", async () => {
    const hands = new FakeHands(raised);
    const typeOn = (): void => {
      hands.type();
      hands.clock.after(200, typeOn);
    };
    typeOn();
    const result = await inject(hands, raised, "1");
    expect(result).toMatchObject({ kind: "refused", rejection: { code: "typing" }, stillAsked: true });
    expect(hands.written).toEqual([]);
  });

  it("the question of an earlier epoch is not answered in a later one", async () => {
    const hands = new FakeHands(raised);
    const result = await inject(hands, raised, "1", { options: { isCurrent: () => false } });
    expect(result).toMatchObject({ kind: "refused", rejection: { code: "screen_moved" } });
    expect(hands.written).toEqual([]);
  });

  it("a screen that never comes to rest is not read", async () => {
    const hands = new FakeHands(raised);
    hands.settled = () => new Promise(() => undefined);
    expect(await inject(hands, raised, "1")).toMatchObject({
      rejection: { code: "screen_moved" },
      stillAsked: true,
    });
  });

  it("a half-drawn picture is waited for", async () => {
    const hands = new FakeHands(raised);
    hands.draw(null, [], { modes: { synchronizedUpdate: true } });
    hands.drawIn(50, raised);
    hands.react = () => hands.draw(null);
    expect((await receiptOf(inject(hands, raised, "1"))).outcome).toBe("answered");
  });

  it("an answer that fits no row is refused with its reason", async () => {
    const hands = new FakeHands(raised);
    const result = await inject(hands, raised, "7");
    expect(result).toMatchObject({
      kind: "refused",
      rejection: { code: "option_unknown" },
      stillAsked: true,
    });
  });

  it("an answer that cannot be recorded is not typed", async () => {
    const hands = new FakeHands(raised);
    const result = await inject(hands, raised, "1", { gate: () => Promise.reject(new Error("no hub")) });
    expect(result).toMatchObject({ kind: "refused", rejection: { code: "not_recorded" }, stillAsked: true });
    expect(hands.written).toEqual([]);
  });
});

describe("after the gate", () => {
  const raised = candidateOf();

  it.each<[string, (hands: FakeHands) => void]>([
    ["the prompt changed", (hands) => hands.draw(other)],
    ["somebody typed", (hands) => hands.type()],
    ["the tool ended", (hands) => hands.end()],
    ["another program came to the foreground", (hands) => (hands.group = 1)],
  ])("nothing is written when %s meanwhile, and the receipt says so", async (_, happen) => {
    const hands = new FakeHands(raised);
    const gate = after(() => happen(hands));
    const receipt = await receiptOf(inject(hands, raised, "1", { gate }));
    expect(receipt).toMatchObject({ outcome: "failed", bytesWritten: 0 });
    expect(hands.written).toEqual([]);
  });

  it("the way is planned from the row that is highlighted by then", async () => {
    const list = arrowList(["a", "b", "c"], 1);
    const hands = new FakeHands(list);
    const { taken } = behaveAsList(hands);
    const gate = after(() => hands.draw({ ...list, highlighted: 3 }));
    expect((await receiptOf(inject(hands, list, "2", { gate }))).outcome).toBe("answered");
    expect(hands.written).toEqual(["\u001b[A", "\r"]);
    expect(taken()).toBe(2);
  });
});

describe("on the way to a row", () => {
  const list = arrowList(["Yes", "Always", "No"], 1);

  it("each arrow waits for the highlight of the one before, however slow the tool", async () => {
    const hands = new FakeHands(list);
    const { taken } = behaveAsList(hands, 900);
    const receipt = await receiptOf(inject(hands, list, "3"));
    expect(receipt).toMatchObject({ outcome: "answered", bytesWritten: 7 });
    expect(taken()).toBe(3);
  });

  it("an arrow without effect stops everything: no second one, no Enter", async () => {
    const hands = new FakeHands(list);
    const receipt = await receiptOf(inject(hands, list, "3"));
    expect(receipt).toMatchObject({ outcome: "failed", bytesWritten: 3 });
    expect(hands.written).toEqual(["\u001b[B"]);
  });

  it("an arrow that closed the dialog is uncertain, never failed", async () => {
    const hands = new FakeHands(list);
    hands.react = () => hands.draw(null);
    expect((await receiptOf(inject(hands, list, "3"))).outcome).toBe("uncertain");
    expect(hands.written).toEqual(["\u001b[B"]);
  });

  it("an arrow that moved elsewhere is followed by nothing", async () => {
    const hands = new FakeHands(list);
    hands.react = () => hands.draw({ ...list, highlighted: 3 });
    const receipt = await receiptOf(inject(hands, list, "2"));
    expect(receipt.outcome).toBe("failed");
    expect(hands.written).toEqual(["\u001b[B"]);
  });

  it("a local key stops everything", async () => {
    const hands = new FakeHands(list);
    behaveAsList(hands);
    hands.clock.after(30, () => hands.type());
    const receipt = await receiptOf(inject(hands, list, "3"));
    expect(receipt).toMatchObject({
      outcome: "failed",
      evidence: expect.stringContaining("typed") as string,
    });
    expect(hands.written).not.toContain("\r");
  });
});

describe("a row that is a text field while it is highlighted", () => {
  it("is passed on the way to another one", async () => {
    const list = arrowList(["Yes", "Always for: make *", "No"], 1);
    const hands = new FakeHands(list);
    const { taken } = behaveAsList(hands);
    const draw = hands.draw.bind(hands);
    hands.draw = (live, ...picture) => {
      const editing = live?.highlighted === 2;
      draw(editing ? { ...live, fingerprint: asId("editing") } : live, ...picture);
    };
    expect((await receiptOf(inject(hands, list, "3"))).outcome).toBe("answered");
    expect(taken()).toBe(3);
  });
});

describe("proof", () => {
  const raised = candidateOf({ endsTool: [2] });

  it("is the question leaving the screen", async () => {
    const hands = new FakeHands(raised);
    hands.react = () => hands.drawIn(40, null);
    const receipt = await receiptOf(inject(hands, raised, "1"));
    expect(receipt).toMatchObject({ outcome: "answered", bytesWritten: 1, fingerprintAfter: null });
    expect(receipt.fingerprintBefore).toBe(raised.fingerprint);
  });

  it("is another question taking its place", async () => {
    const hands = new FakeHands(raised);
    hands.react = () => hands.draw(other);
    const receipt = await receiptOf(inject(hands, raised, "1"));
    expect(receipt).toMatchObject({ outcome: "answered", fingerprintAfter: other.fingerprint });
    expect(hands.written).toEqual(["1"]);
  });

  it("is missing when nothing happens, and the key is not sent again", async () => {
    const hands = new FakeHands(raised);
    expect((await receiptOf(inject(hands, raised, "1"))).outcome).toBe("uncertain");
    expect(hands.written).toEqual(["1"]);
  });

  it("is missing when the question was only redrawn, or an equal one follows at once", async () => {
    const hands = new FakeHands(raised);
    hands.react = () => {
      hands.draw(null);
      hands.drawIn(44, raised);
    };
    expect((await receiptOf(inject(hands, raised, "1"))).outcome).toBe("uncertain");
  });

  it("is not read from a half-drawn picture", async () => {
    const hands = new FakeHands(raised);
    hands.react = () => {
      hands.draw(null, [], { modes: { synchronizedUpdate: true } });
      hands.drawIn(500, raised);
    };
    expect((await receiptOf(inject(hands, raised, "1"))).outcome).toBe("uncertain");
  });

  it.each([
    ["2", "answered"],
    ["1", "uncertain"],
  ])("of a tool that ends with the question still drawn: %s is %s", async (value, outcome) => {
    const hands = new FakeHands(raised);
    hands.react = () => hands.clock.after(30, () => hands.end());
    expect(await receiptOf(inject(hands, raised, value))).toMatchObject({ outcome, endsTool: value === "2" });
  });

  it("of a script whose last question it was is the question leaving before the end", async () => {
    const hands = new FakeHands(raised);
    hands.react = () => {
      hands.draw(null);
      hands.end();
    };
    expect((await receiptOf(inject(hands, raised, "1"))).outcome).toBe("answered");
  });

  it("of a line is the same question asked again below the typed answer", async () => {
    const choices = choicesOf({ label: "Yes", answer: { by: "line", text: "y" } }, { label: "No" });
    const line = candidateOf({ promptType: "yes_no", choices });
    const hands = new FakeHands(line, viewOf(["Go on? [y/n]"], { cursor: [13, 0] }));
    hands.react = () => hands.drawIn(5, line, ["Go on? [y/n] y", "Go on? [y/n]"], { cursor: [13, 1] });
    expect((await receiptOf(inject(hands, line, "y"))).outcome).toBe("answered");
    expect(hands.written).toEqual(["y\r"]);
  });
});

describe("text", () => {
  const paste = { modes: { bracketedPaste: true } };
  const box = candidateOf({
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
  const inBox = (): FakeHands => new FakeHands(box, viewOf(empty, paste));
  const PASTED = "\u001b[200~use another file\u001b[201~";

  it("is confirmed with Enter alone once it is seen in its field, and no sooner than a paste's end allows", async () => {
    const hands = inBox();
    const times: number[] = [];
    hands.react = (keys) => {
      times.push(hands.clock.monotonic());
      if (keys === PASTED) hands.drawIn(10, box, filled, paste);
      else hands.drawIn(10, box, empty, paste);
    };
    const receipt = await receiptOf(inject(hands, box, "use another file"));
    expect(receipt).toMatchObject({ outcome: "answered", bytesWritten: PASTED.length + 1 });
    expect(hands.written).toEqual([PASTED, "\r"]);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(DEFAULT_TIMINGS.pasteGapMs);
  });

  it("that is dropped is not confirmed: Enter would take the default", async () => {
    const hands = inBox();
    expect((await receiptOf(inject(hands, box, "use another file"))).outcome).toBe("failed");
    expect(hands.written).toEqual([PASTED]);
  });

  it("is known again across wraps, borders and the fold of a long paste", async () => {
    for (const rows of [["│ ❯ use ano │", "│   ther file │"], ["❯ [Pasted text #1 +12 lines]"]]) {
      const hands = inBox();
      hands.react = (keys) => hands.draw(keys === "\r" ? null : box, keys === "\r" ? [] : rows, paste);
      expect((await receiptOf(inject(hands, box, "use another file"))).outcome).toBe("answered");
    }
  });

  it("that still stands there after a redraw gets Enter again, but not for ever", async () => {
    const hands = inBox();
    hands.react = () => hands.drawIn(10, box, [...filled, ""], paste);
    expect((await receiptOf(inject(hands, box, "use another file"))).outcome).toBe("uncertain");
    expect(hands.written).toEqual([PASTED, ...Array<string>(1 + ENTER_RESENDS_MAX).fill("\r")]);
  });

  it("in a tool that froze gets no second Enter: it could answer the next dialog", async () => {
    const hands = inBox();
    hands.react = (keys) => {
      if (keys === PASTED) hands.draw(box, filled, paste);
    };
    expect((await receiptOf(inject(hands, box, "use another file"))).outcome).toBe("uncertain");
    expect(hands.written).toEqual([PASTED, "\r"]);
  });

  it("gets no second Enter when something else stands there by then", async () => {
    const hands = inBox();
    hands.react = (keys) =>
      keys === PASTED ? hands.draw(box, filled, paste) : hands.drawIn(900, other, ["Delete it?"], paste);
    expect((await receiptOf(inject(hands, box, "use another file"))).outcome).toBe("answered");
    expect(hands.written).toEqual([PASTED, "\r"]);
  });

  it("gets no second Enter in the row of a list, where the next question may follow, but all the time it needs", async () => {
    const choices = choicesOf({ label: "Postgres" }, { label: "Type something.", takesText: "required" });
    const raised = candidateOf({ choices, highlighted: 2, region: { top: 0, bottom: 2 } });
    const hands = new FakeHands(raised, viewOf(["Which?", "  Postgres", "❯ Type something."], paste));
    const rows = ["Which?", "  Postgres", "❯ use another file"];
    hands.react = (keys) => {
      hands.draw(raised, [...rows, keys], paste);
      if (keys === "\r") hands.drawIn(3000, null);
    };
    const receipt = await receiptOf(inject(hands, raised, "2", { text: "use another file" }));
    expect(receipt.outcome).toBe("answered");
    expect(hands.written).toEqual([PASTED, "\r"]);
  });

  it("on an unread screen is proved by leaving it", async () => {
    const unread = candidateOf({ promptType: "unknown", choices: [], highlighted: null });
    const hands = new FakeHands(unread, viewOf(["?"], paste));
    hands.react = (keys) => hands.drawIn(10, null, keys === "\r" ? ["?"] : ["? hello"], paste);
    expect((await receiptOf(inject(hands, unread, "text:hello"))).outcome).toBe("answered");
    const stuck = new FakeHands(unread, viewOf(["?"], paste));
    stuck.react = () => stuck.drawIn(10, null, ["? hello"], paste);
    expect((await receiptOf(inject(stuck, unread, "text:hello"))).outcome).toBe("uncertain");
    expect(stuck.written).toHaveLength(2);
  });

  it("on an unread screen is not confirmed once a dialog is read there", async () => {
    const unread = candidateOf({ rule: "unread", promptType: "unknown", choices: [], highlighted: null });
    const hands = new FakeHands(unread, viewOf(["?"], paste));
    hands.react = () => hands.draw(other, ["? hello"], paste);
    await inject(hands, unread, "text:hello");
    expect(hands.written).toHaveLength(1);
  });
});

describe("a terminal that does not take it", () => {
  const list = arrowList(["a", "b"], 1);

  it("is a proved failure when no byte went in", async () => {
    const hands = new FakeHands(list);
    hands.takes = () => 0;
    expect(await receiptOf(inject(hands, list, "1"))).toMatchObject({ outcome: "failed", bytesWritten: 0 });
  });

  it("is uncertain when a part of a committing key went in", async () => {
    const choices = choicesOf({ label: "Right", answer: { by: "key", key: "\u001b[C" } });
    const raised = candidateOf({ choices });
    const hands = new FakeHands(raised);
    hands.takes = () => 1;
    expect(await receiptOf(inject(hands, raised, "1"))).toMatchObject({
      outcome: "uncertain",
      bytesWritten: 1,
    });
  });

  it("is uncertain when nobody knows", async () => {
    const hands = new FakeHands(list);
    hands.takes = () => {
      throw new Error("gone");
    };
    expect((await receiptOf(inject(hands, list, "1"))).outcome).toBe("uncertain");
  });
});

describe("the keyboard", () => {
  const raised = candidateOf();

  it("is held from the gate until shortly after the last write", async () => {
    const hands = new FakeHands(raised);
    const events: (string | number)[] = [];
    const start = hands.clock.monotonic();
    hands.react = () => events.push("key");
    const gate = after(() => events.push("gate"));
    const onBusy = (busy: boolean): void => void events.push(busy ? "held" : hands.clock.monotonic() - start);
    await inject(hands, raised, "1", { gate, options: { onBusy } });
    expect(events).toEqual(["gate", "held", "key", DEFAULT_TIMINGS.holdAfterMs]);
  });

  it("is free again whatever happens", async () => {
    const hands = new FakeHands(raised);
    const events: [boolean, boolean][] = [];
    const gate = after(() => hands.draw(null));
    await inject(hands, raised, "1", { gate, options: { onBusy: (...state) => events.push(state) } });
    expect(events).toEqual([
      [true, false],
      [false, false],
    ]);
  });

  it("is freed with a warning when the highlight moved and nothing was confirmed", async () => {
    const list = arrowList(["Yes", "Always", "No"], 1);
    const hands = new FakeHands(list);
    const freed: boolean[] = [];
    const onBusy = (busy: boolean, touched: boolean): void => {
      if (!busy) freed.push(touched);
    };
    expect((await receiptOf(inject(hands, list, "3", { options: { onBusy } }))).outcome).toBe("failed");
    expect(freed).toEqual([true]);
  });

  it("takes the proof away when it was used before an effect was seen", async () => {
    const hands = new FakeHands(raised);
    hands.clock.after(800, () => {
      hands.type();
      hands.draw(null);
    });
    const receipt = await receiptOf(inject(hands, raised, "1"));
    expect(receipt).toMatchObject({
      outcome: "uncertain",
      evidence: expect.stringContaining("typed") as string,
    });
  });
});

it("puts in one answer at a time", async () => {
  const raised = candidateOf();
  const hands = new FakeHands(raised);
  hands.react = () => hands.drawIn(30, null);
  const options = { raisedGroup: GROUP };
  const both = Promise.all(
    ["1", "2"].map((value) => injectReply(hands, raised, replyTo(raised, value), open, options)),
  );
  const [first, second] = await drive(hands.clock, both);
  expect(first).toMatchObject({ kind: "receipt", receipt: { outcome: "answered" } });
  expect(second).toMatchObject({ kind: "refused", rejection: { code: "screen_moved" } });
  expect(hands.written).toEqual(["1"]);
});
