/**
 * A key of an answer is written only while the same question stands on a settled screen, the program that asked reads, nobody
 * types, and nothing was drawn since the last look.
 */
import { describe, expect, it } from "vitest";
import { asId } from "../../../../src/model/ids.js";
import { after, inject, other, requireReceipt } from "./attempt.js";
import { arrowList, behaveAsList, FakePort } from "./fake-port.js";
import { makeCandidate, makeChoices } from "./make.js";

describe("an answer before its gate", () => {
  const raised = makeCandidate();

  it.each<[string, string, boolean, (port: FakePort) => void]>([
    ["another prompt stands there", "screen_moved", false, (port) => port.draw(other)],
    ["no prompt stands there", "screen_moved", false, (port) => port.draw(null)],
    ["the tool has ended", "session_gone", false, (port) => port.end()],
    ["another program is in the foreground", "screen_moved", true, (port) => (port.group = 1)],
    ["the foreground cannot be seen any more", "screen_moved", true, (port) => (port.group = null)],
  ])("nothing is written and nothing recorded when %s", async (_, code, stillAsked, happen) => {
    const port = new FakePort(raised);
    happen(port);
    let recorded = false;
    const gate = after(() => (recorded = true));
    const result = await inject(port, raised, "1", { gate });
    expect(result).toMatchObject({ kind: "refused", rejection: { code }, stillAsked });
    expect(port.written).toEqual([]);
    expect(recorded).toBe(false);
  });

  it("a reply waits until a local key has had its effect", async () => {
    const port = new FakePort(raised);
    port.type();
    port.drawIn(100, other);
    expect(await inject(port, raised, "1")).toMatchObject({ rejection: { code: "screen_moved" } });
    expect(port.written).toEqual([]);
  });

  it("a reply is refused while somebody goes on typing", async () => {
    const port = new FakePort(raised);
    const typeOn = (): void => {
      port.type();
      port.clock.after(200, typeOn);
    };
    typeOn();
    const result = await inject(port, raised, "1");
    expect(result).toMatchObject({ kind: "refused", rejection: { code: "typing" }, stillAsked: true });
    expect(port.written).toEqual([]);
  });

  it("the question of an earlier epoch is not answered in a later one", async () => {
    const port = new FakePort(raised);
    const result = await inject(port, raised, "1", { options: { isCurrent: () => false } });
    expect(result).toMatchObject({ kind: "refused", rejection: { code: "screen_moved" } });
    expect(port.written).toEqual([]);
  });

  it("nothing is written where the program that asked no longer reads, although its question still stands", async () => {
    const port = new FakePort(raised);
    const result = await inject(port, raised, "1", { options: { isToolReading: () => false } });
    expect(result).toMatchObject({
      kind: "refused",
      rejection: { code: "not_read" },
      stillAsked: false,
    });
    expect(port.written).toEqual([]);
  });

  it("a reader that stopped only for a moment is waited for", async () => {
    const port = new FakePort(raised);
    const readsFrom = port.clock.monotonic() + 100;
    const isToolReading = (): boolean => port.clock.monotonic() >= readsFrom;
    expect(await inject(port, raised, "1", { options: { isToolReading } })).toMatchObject({
      kind: "receipt",
    });
    expect(port.written).not.toEqual([]);
  });

  it("a screen that never comes to rest is not read", async () => {
    const port = new FakePort(raised);
    port.waitUntilParsed = () => new Promise(() => undefined);
    expect(await inject(port, raised, "1")).toMatchObject({
      rejection: { code: "screen_moved" },
      stillAsked: true,
    });
  });

  it("a half-drawn picture is waited for", async () => {
    const port = new FakePort(raised);
    port.draw(null, [], { modes: { synchronizedUpdate: true } });
    port.drawIn(50, raised);
    port.react = () => port.draw(null);
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe("answered");
  });

  it("an answer that fits no row is refused with its reason", async () => {
    const port = new FakePort(raised);
    const result = await inject(port, raised, "7");
    expect(result).toMatchObject({
      kind: "refused",
      rejection: { code: "option_unknown" },
      stillAsked: true,
    });
  });

  it("an answer that cannot be recorded is not typed", async () => {
    const port = new FakePort(raised);
    const result = await inject(port, raised, "1", { gate: () => Promise.reject(new Error("no hub")) });
    expect(result).toMatchObject({ kind: "refused", rejection: { code: "not_recorded" }, stillAsked: true });
    expect(port.written).toEqual([]);
  });
});

describe("an answer after its gate", () => {
  const raised = makeCandidate();

  it.each<[string, (port: FakePort) => void]>([
    ["the prompt changed", (port) => port.draw(other)],
    ["somebody typed", (port) => port.type()],
    ["the tool ended", (port) => port.end()],
    ["another program came to the foreground", (port) => (port.group = 1)],
  ])("nothing is written when %s meanwhile, and the receipt says so", async (_, happen) => {
    const port = new FakePort(raised);
    const gate = after(() => happen(port));
    const receipt = await requireReceipt(inject(port, raised, "1", { gate }));
    expect(receipt).toMatchObject({ outcome: "failed", bytesWritten: 0 });
    expect(port.written).toEqual([]);
  });

  it("is planned from the row that is highlighted then", async () => {
    const list = arrowList(["a", "b", "c"], 1);
    const port = new FakePort(list);
    const { taken } = behaveAsList(port);
    const gate = after(() => port.draw({ ...list, highlighted: 3 }));
    expect((await requireReceipt(inject(port, list, "2", { gate }))).outcome).toBe("answered");
    expect(port.written).toEqual(["\u001b[A", "\r"]);
    expect(taken()).toBe(2);
  });
});

describe("at the moment of a write", () => {
  const raised = makeCandidate();

  /** What the system has let through when it is asked for the nth time. */
  function newsAt(port: FakePort, nth: number, happen: () => void): void {
    let asked = 0;
    port.news = () => {
      asked += 1;
      if (asked === nth) happen();
      return asked === nth;
    };
  }

  it.each([
    ["the answer is recorded", 1],
    ["its keys are planned", 2],
    ["its key is written", 3],
  ])("a question that is taken back right before %s gets no key", async (_, nth) => {
    const port = new FakePort(raised);
    newsAt(port, nth, () => port.draw(other));
    const result = await inject(port, raised, "1");
    expect(port.written).toEqual([]);
    if (nth === 1) expect(result).toMatchObject({ kind: "refused", rejection: { code: "screen_moved" } });
    else expect(result).toMatchObject({ receipt: { outcome: "failed", bytesWritten: 0 } });
  });

  it("a redraw is looked at again, and the answer goes in", async () => {
    const port = new FakePort(raised);
    port.react = () => port.draw(null);
    newsAt(port, 3, () => port.draw(raised, ["a dot blinks"]));
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe("answered");
    expect(port.written).toEqual(["1"]);
  });

  it("a tool that draws whenever it is looked at gets no key", async () => {
    const port = new FakePort(raised);
    port.news = () => {
      port.clock.advance(100);
      return true;
    };
    expect(await inject(port, raised, "1")).toMatchObject({ rejection: { code: "screen_moved" } });
    expect(port.written).toEqual([]);
  });
});

describe("on the way to a row", () => {
  const list = arrowList(["Yes", "Always", "No"], 1);

  it("each arrow waits for the highlight of the one before, however slow the tool", async () => {
    const port = new FakePort(list);
    const { taken } = behaveAsList(port, 900);
    const receipt = await requireReceipt(inject(port, list, "3"));
    expect(receipt).toMatchObject({ outcome: "answered", bytesWritten: 7 });
    expect(taken()).toBe(3);
  });

  it("an arrow without effect stops everything: no second one, no Enter", async () => {
    const port = new FakePort(list);
    const receipt = await requireReceipt(inject(port, list, "3"));
    expect(receipt).toMatchObject({ outcome: "failed", bytesWritten: 3 });
    expect(port.written).toEqual(["\u001b[B"]);
  });

  it("an arrow that closed the dialog is uncertain, never failed", async () => {
    const port = new FakePort(list);
    port.react = () => port.draw(null);
    expect((await requireReceipt(inject(port, list, "3"))).outcome).toBe("uncertain");
    expect(port.written).toEqual(["\u001b[B"]);
  });

  it("an arrow that moved elsewhere is followed by nothing", async () => {
    const port = new FakePort(list);
    port.react = () => port.draw({ ...list, highlighted: 3 });
    const receipt = await requireReceipt(inject(port, list, "2"));
    expect(receipt.outcome).toBe("failed");
    expect(port.written).toEqual(["\u001b[B"]);
  });

  it("a local key stops everything", async () => {
    const port = new FakePort(list);
    behaveAsList(port);
    port.clock.after(30, () => port.type());
    const receipt = await requireReceipt(inject(port, list, "3"));
    expect(receipt).toMatchObject({
      outcome: "failed",
      evidence: expect.stringContaining("typed") as string,
    });
    expect(port.written).not.toContain("\r");
  });
});

describe("a row that is a text field while it is highlighted", () => {
  it("is passed on the way to another one", async () => {
    const list = arrowList(["Yes", "Always for: make *", "No"], 1);
    const port = new FakePort(list);
    const { taken } = behaveAsList(port);
    const draw = port.draw.bind(port);
    port.draw = (live, ...picture) => {
      const editing = live?.highlighted === 2;
      const choices = list.choices.map((row, i) =>
        i === 1 ? { ...row, takesText: "required" as const } : row,
      );
      draw(editing ? { ...live, choices, fingerprint: asId("editing") } : live, ...picture);
    };
    expect((await requireReceipt(inject(port, list, "3"))).outcome).toBe("answered");
    expect(taken()).toBe(3);
  });
});

describe("a terminal that does not take a key", () => {
  const list = arrowList(["a", "b"], 1);

  it("is a proved failure when no byte went in", async () => {
    const port = new FakePort(list);
    port.takes = () => 0;
    expect(await requireReceipt(inject(port, list, "1"))).toMatchObject({
      outcome: "failed",
      bytesWritten: 0,
    });
  });

  it("is uncertain when a part of a committing key went in", async () => {
    const choices = makeChoices({ label: "Right", answer: { by: "key", key: "\u001b[C" } });
    const raised = makeCandidate({ choices });
    const port = new FakePort(raised);
    port.takes = () => 1;
    expect(await requireReceipt(inject(port, raised, "1"))).toMatchObject({
      outcome: "uncertain",
      bytesWritten: 1,
    });
  });

  it("is uncertain when it is not known how much went in", async () => {
    const port = new FakePort(list);
    port.takes = () => {
      throw new Error("gone");
    };
    expect((await requireReceipt(inject(port, list, "1"))).outcome).toBe("uncertain");
  });
});
