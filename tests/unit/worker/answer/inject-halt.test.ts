/** A pause stops an answer before its next key, and the receipt says what was written. A decision for a hook is kept back as well. */
import { describe, expect, it } from "vitest";
import type { InjectionResult } from "../../../../src/sdk/adapter.js";
import { answerRequest } from "../../../../src/worker/answer/answer-request.js";
import { after, inject, requireReceipt } from "./attempt.js";
import { arrowList, behaveAsList, drive, FakePort } from "./fake-port.js";
import { makeCandidate } from "./make.js";

const DOWN = "\u001b[B";
const PAUSED = expect.stringContaining("AtlasBridge was paused") as string;

describe("a pause while keys are typed", () => {
  const list = arrowList(["Yes", "Always", "No"], 1);

  it("before the first key: none is written, and the receipt says so", async () => {
    const port = new FakePort(list);
    const halt = new AbortController();
    const gate = after(() => halt.abort());
    const receipt = await requireReceipt(
      inject(port, list, "3", { gate, options: { revoked: halt.signal } }),
    );
    expect(receipt).toMatchObject({ outcome: "failed", bytesWritten: 0, evidence: PAUSED });
    expect(port.written).toEqual([]);
  });

  it.each([1, 2])("after key %i of three: no other follows, and nothing was confirmed", async (keys) => {
    const port = new FakePort(list);
    const { taken } = behaveAsList(port);
    const react = port.react;
    const halt = new AbortController();
    port.react = (key) => {
      react(key);
      if (port.written.length === keys) halt.abort();
    };
    const receipt = await requireReceipt(inject(port, list, "3", { options: { revoked: halt.signal } }));
    expect(receipt).toMatchObject({ outcome: "failed", bytesWritten: 3 * keys, evidence: PAUSED });
    expect(port.written).toEqual(Array.from({ length: keys }, () => DOWN));
    expect(taken()).toBeNull();
  });

  it("after a key that removed the question: the receipt is uncertain", async () => {
    const port = new FakePort(list);
    const halt = new AbortController();
    port.react = () => {
      halt.abort();
      port.draw(null);
    };
    const receipt = await requireReceipt(inject(port, list, "3", { options: { revoked: halt.signal } }));
    expect(receipt).toMatchObject({ outcome: "uncertain", evidence: PAUSED });
  });

  it("after the last key: the effect is awaited as without a pause", async () => {
    const port = new FakePort(list);
    const { taken } = behaveAsList(port);
    const react = port.react;
    const halt = new AbortController();
    port.react = (key) => {
      react(key);
      if (key === "\r") halt.abort();
    };
    const receipt = await requireReceipt(inject(port, list, "3", { options: { revoked: halt.signal } }));
    expect(receipt.outcome).toBe("answered");
    expect(taken()).toBe(3);
  });

  it("before the leave was requested: the answer is refused, and the question stands", async () => {
    const port = new FakePort(list);
    const result = await inject(port, list, "3", { options: { revoked: AbortSignal.abort() } });
    expect(result).toMatchObject({ kind: "refused", rejection: { code: "paused" }, stillAsked: true });
  });
});

describe("a pause while a decision is sent to a hook", () => {
  it.each([
    ["drawn", makeCandidate()],
    ["not drawn", null],
  ])("whose dialog is %s is not sent the decision", async (_, drawn) => {
    const port = new FakePort(drawn);
    const sent: object[] = [];
    const call = {
      isOpen: true,
      answer: (decision: object | null): Promise<"taken"> => {
        if (decision) sent.push(decision);
        return Promise.resolve("taken");
      },
    };
    const halt = new AbortController();
    const answer = { path: call, result: { allow: true }, fingerprint: makeCandidate().fingerprint, drawn };
    const result = await drive<InjectionResult>(
      port.clock,
      answerRequest(
        port,
        answer as never,
        after(() => halt.abort()),
        {
          hasMovedOnSince: () => false,
          wasTypedAtDialog: () => false,
          mayBeAnsweredLocally: () => false,
          onDelivered: () => undefined,
          onBusy: () => undefined,
          revoked: halt.signal,
        },
      ),
    );
    expect(await requireReceipt(Promise.resolve(result))).toMatchObject({
      outcome: "failed",
      evidence: PAUSED,
    });
    expect(sent).toEqual([]);
  });
});
