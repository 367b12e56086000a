/**
 * The requests of an attached server are recognised when repeated, and are left to their dialogs where two share an id or there
 * are too many.
 */
import { describe, expect, it } from "vitest";
import {
  AttachedRequests,
  type AttachedRequest,
} from "../../../../../src/worker/runtimes/attachment/attached-requests.js";
import type { ServerCall } from "../../../../../src/worker/runtimes/attachment/server-call.js";

const MAX = 2;

function rig() {
  const requests = new AttachedRequests<number, AttachedRequest>(MAX);
  const lost: number[] = [];
  const add = (id: number, content: unknown = id): boolean =>
    requests.add(id, { content, call: { markLost: () => lost.push(id) } as unknown as ServerCall });
  const addDialog = (id: number): boolean => requests.add(id, { content: id, call: null });
  return { requests, lost, add, addDialog };
}

describe("the requests of an attached server", () => {
  it("are recognised when they are repeated, with their parts in any order", () => {
    const { requests, add, lost } = rig();
    expect(requests.isKnown(1, { method: "run", params: {} })).toBe(false);
    add(1, { method: "run", params: {} });
    expect(requests.isKnown(1, { params: {}, method: "run" })).toBe(true);
    expect(lost).toEqual([]);
  });

  it("are left to their dialogs from then on where two differ and have one id", () => {
    const { requests, add, lost } = rig();
    add(1, "rm -r build");
    expect(requests.isKnown(1, "rm -r /")).toBe(true);
    expect(lost).toEqual([1]);
    expect(requests.take(1)?.call).toBeNull();
    expect(requests.isKnown(1, "rm -r build")).toBe(true);
    requests.markAllLost();
    expect(requests.isKnown(1, "rm -r build")).toBe(false);
    expect(lost).toEqual([1]);
  });

  it("are not raised any more once too many ids were given twice", () => {
    const { requests, add } = rig();
    for (let id = 0; id < 64; id += 1) {
      add(id);
      requests.isKnown(id, "other");
      requests.take(id);
    }
    expect(requests.isKnown(1000, 1000)).toBe(true);
  });

  it("are raised up to a limit at once, beside those that only their dialogs ask", () => {
    const { requests, add, addDialog } = rig();
    addDialog(0);
    expect([add(1), add(2), add(3)]).toEqual([true, true, false]);
    expect(requests.isKnown(3, 3)).toBe(false);
    requests.take(1);
    for (let id = 10; id < 74; id += 1) addDialog(id);
    expect(requests.isKnown(0, 0)).toBe(false);
  });

  it("can be left to their dialogs, or lost, each by itself", () => {
    const { requests, add, lost } = rig();
    add(1);
    add(2);
    requests.leaveToDialogs(({ content }) => content === 1);
    expect(lost).toEqual([1]);
    requests.markLost(({ content }) => content === 2);
    expect(lost).toEqual([1, 2]);
    expect(requests.take(2)).toBeUndefined();
    expect(requests.isEmpty).toBe(false);
    requests.markAllLost();
    expect([requests.isEmpty, lost]).toEqual([true, [1, 2]]);
  });
});
