/**
 * The keyboard is held back from the gate of an answer until shortly after its last write, and is always freed. One answer is
 * typed at a time.
 */
import { describe, expect, it } from "vitest";
import { injectAnswer } from "../../../../src/worker/answer/inject.js";
import { createRunExclusive } from "../../../../src/worker/answer/run-exclusive.js";
import { DEFAULT_TIMINGS } from "../../../../src/worker/answer/timings.js";
import { after, inject, open, requireReceipt } from "./attempt.js";
import { arrowList, drive, FakePort, GROUP } from "./fake-port.js";
import { makeCandidate, replyTo } from "./make.js";

describe("the keyboard", () => {
  const raised = makeCandidate();

  it("is held from the gate until shortly after the last write", async () => {
    const port = new FakePort(raised);
    const events: (string | number)[] = [];
    const start = port.clock.monotonic();
    port.react = () => events.push("key");
    const gate = after(() => events.push("gate"));
    const onBusy = (busy: boolean): void => void events.push(busy ? "held" : port.clock.monotonic() - start);
    await inject(port, raised, "1", { gate, options: { onBusy } });
    expect(events).toEqual(["gate", "held", "key", DEFAULT_TIMINGS.holdAfterMs]);
  });

  it("is freed after every outcome", async () => {
    const port = new FakePort(raised);
    const events: [boolean, boolean][] = [];
    const gate = after(() => port.draw(null));
    await inject(port, raised, "1", { gate, options: { onBusy: (...state) => events.push(state) } });
    expect(events).toEqual([
      [true, false],
      [false, false],
    ]);
  });

  it("is freed with a warning when the highlight moved and nothing was confirmed", async () => {
    const list = arrowList(["Yes", "Always", "No"], 1);
    const port = new FakePort(list);
    const freed: boolean[] = [];
    const onBusy = (busy: boolean, touched: boolean): void => {
      if (!busy) freed.push(touched);
    };
    expect((await requireReceipt(inject(port, list, "3", { options: { onBusy } }))).outcome).toBe("failed");
    expect(freed).toEqual([true]);
  });

  it("makes the answer unproved when it was used before an effect was seen", async () => {
    const port = new FakePort(raised);
    port.clock.after(800, () => {
      port.type();
      port.draw(null);
    });
    const receipt = await requireReceipt(inject(port, raised, "1"));
    expect(receipt).toMatchObject({
      outcome: "uncertain",
      evidence: expect.stringContaining("typed") as string,
    });
  });
});

it("answers are typed one at a time", async () => {
  const raised = makeCandidate();
  const port = new FakePort(raised);
  port.react = () => port.drawIn(30, null);
  const options = { raisedGroup: GROUP };
  const runExclusive = createRunExclusive();
  const both = Promise.all(
    ["1", "2"].map((value) =>
      runExclusive(() => injectAnswer(port, raised, replyTo(raised, value), open, options)),
    ),
  );
  const [first, second] = await drive(port.clock, both);
  expect(first).toMatchObject({ kind: "receipt", receipt: { outcome: "answered" } });
  expect(second).toMatchObject({ kind: "refused", rejection: { code: "screen_moved" } });
  expect(port.written).toEqual(["1"]);
});
