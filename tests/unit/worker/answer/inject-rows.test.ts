/** Lists whose mark passes rows that cannot be chosen, or stops at them, or moves on with a tick: the keys follow what the screen shows. */
import { describe, expect, it } from "vitest";
import { inject, requireReceipt } from "./attempt.js";
import { arrowList, FakePort } from "./fake-port.js";
import { ARROWS, makeCandidate, makeChoices } from "./make.js";

const [UP, DOWN, ENTER, TAB] = ["\u001b[A", "\u001b[B", "\r", "\t"];
const list = arrowList(["one", "three", "four"], 1);

/** The places at which the mark stops, as the screen reader tells them. */
function behave(port: FakePort, stops: readonly number[], start = 0): void {
  let at = start;
  port.react = (key) => {
    if (key === ENTER) port.drawIn(20, null);
    at += key === DOWN ? 1 : -1;
    const stop = stops[at];
    if (key === ENTER || stop === undefined) return;
    const mark = Number.isInteger(stop) ? { highlighted: stop } : { highlighted: null, at: stop };
    port.drawIn(20, { ...list, ...mark });
  };
}

describe("the mark of a list", () => {
  it.each([
    ["stops at rows that cannot be chosen", [1, 1.5, 1.75, 2, 3], "2", [DOWN, DOWN, DOWN, ENTER]],
    ["stops there further on", [1, 2, 2.5, 3], "3", [DOWN, DOWN, DOWN, ENTER]],
    ["passes a row that cannot be chosen", [1, 3], "3", [DOWN, ENTER]],
  ])("%s", async (_, stops, value, keys) => {
    const port = new FakePort(list);
    behave(port, stops);
    expect((await requireReceipt(inject(port, list, value))).outcome).toBe("answered");
    expect(port.written).toEqual(keys);
  });

  it("stands on such a row when the answer comes", async () => {
    const marked = { ...list, highlighted: null, at: 1.5 };
    for (const [value, key] of [
      ["1", UP],
      ["2", DOWN],
    ] as const) {
      const port = new FakePort(marked);
      behave(port, [1, 1.5, 2], 1);
      expect((await requireReceipt(inject(port, marked, value))).outcome).toBe("answered");
      expect(port.written).toEqual([key, ENTER]);
    }
  });

  it("never stops at the chosen row: nothing is confirmed", async () => {
    const port = new FakePort(list);
    behave(port, [1, 3]);
    expect((await requireReceipt(inject(port, list, "2"))).outcome).toBe("failed");
    expect(port.written).toEqual([DOWN]);
  });

  it("moves to and fro for ever: that ends, and nothing is confirmed", async () => {
    const port = new FakePort(list);
    let keys = 0;
    port.react = () => port.drawIn(20, { ...list, highlighted: null, at: keys++ % 2 ? 1.5 : 1.75 });
    expect((await requireReceipt(inject(port, list, "2"))).outcome).toBe("failed");
    expect(keys).toBeLessThan(100);
    expect(port.written).not.toContain(ENTER);
  });

  it("moves on with a tick", async () => {
    const draw = (highlighted: number, ticked: readonly number[]) =>
      makeCandidate({
        shape: "check_list",
        constraints: { multi: true },
        checkList: { toggle: TAB, submit: [{ key: ENTER }] },
        choices: makeChoices(
          ...["a", "b", "c"].map((label, i) => ({ label, answer: ARROWS, checked: ticked.includes(i + 1) })),
        ),
        highlighted,
      });
    const port = new FakePort(draw(1, []));
    let [at, ticked] = [1, [] as number[]];
    port.react = (key) => {
      if (key === ENTER) port.drawIn(20, null);
      if (key === ENTER) return;
      if (key === TAB) ticked = [...ticked, at];
      at = Math.max(1, at + (key === UP ? -1 : 1));
      port.drawIn(20, draw(at, ticked));
    };
    expect((await requireReceipt(inject(port, draw(1, []), "1,3"))).outcome).toBe("answered");
    expect([port.written, ticked]).toEqual([
      [TAB, DOWN, TAB, ENTER],
      [1, 3],
    ]);
  });
});
