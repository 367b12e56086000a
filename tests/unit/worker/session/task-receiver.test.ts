/** A task from the hub is put on record before it is typed, is typed once, and stops at a pause. */
import { describe, expect, it } from "vitest";
import { createRefusal } from "../../../../src/model/answer/refusal.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import type { InjectionGate, InjectionResult } from "../../../../src/sdk/adapter.js";
import { TaskReceiver } from "../../../../src/worker/session/task-receiver.js";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const TAKEN: InjectionResult = {
  kind: "receipt",
  receipt: {
    outcome: "answered",
    proof: "effect",
    route: "keys",
    evidence: "the text left its field",
    bytesWritten: 5,
    fingerprintBefore: null,
    fingerprintAfter: null,
    endsTool: false,
  },
};

function rig(submit: (text: string, gate: InjectionGate, halt: AbortSignal) => Promise<InjectionResult>) {
  const clock = new ManualClock();
  const calls: unknown[] = [];
  let answer = (): Promise<unknown> => Promise.resolve({});
  const hub = {
    connected: true,
    call: (method: string, params: unknown, options?: unknown): Promise<never> => {
      calls.push([method, params, options]);
      return answer() as Promise<never>;
    },
  };
  let given = 0;
  const submitted: unknown[] = [];
  const taker = new TaskReceiver({
    hub,
    clock,
    input: {
      submit: (text, gate, options) => {
        given += 1;
        submitted.push(options?.clears);
        return submit(text, gate, options!.halt!);
      },
      draft: () => ({ text: "half typed", hash: "d1" }),
    },
  });
  return {
    clock,
    calls,
    submitted,
    taker,
    given: () => given,
    answers: (how: typeof answer) => (answer = how),
  };
}

const typed = async (_: string, gate: InjectionGate): Promise<InjectionResult> => {
  try {
    await gate({ endsTool: false, route: "keys" });
  } catch {
    return { kind: "refused", rejection: createRefusal("not_recorded"), stillAsked: false };
  }
  return TAKEN;
};

describe("a task that the hub gives", () => {
  it("is refused where the session takes none", async () => {
    const hub = { connected: true, call: () => Promise.reject(new Error("not called")) };
    const taker = new TaskReceiver({ hub, clock: new ManualClock(), input: null });
    const result = await taker.take({ taskId: "t1", text: "go" });
    expect(result).toMatchObject({ receipt: null, rejection: { code: "no_composer" } });
  });

  it("is refused with what stands in the input box, if that is why, and takes the leave to clear it along", async () => {
    const { taker, submitted } = rig((text) => {
      const code = text === "go" ? "draft" : "not_idle";
      return Promise.resolve({ kind: "refused", rejection: createRefusal(code), stillAsked: false });
    });
    const draft = { text: "half typed", hash: "d1" };
    expect(await taker.take({ taskId: "t1", text: "go" })).toMatchObject({ draft });
    expect(await taker.take({ taskId: "t2", text: "stay" })).not.toHaveProperty("draft");
    await taker.take({ taskId: "t3", text: "go", clears: "d1" });
    expect(submitted).toEqual([undefined, undefined, "d1"]);
  });

  it("is on record before it is typed, and its receipt is reported", async () => {
    const { taker, calls } = rig(typed);
    expect(await taker.take({ taskId: "t1", text: "go" })).toEqual({
      receipt: expect.objectContaining({ outcome: "answered" }) as unknown,
      rejection: null,
    });
    expect(calls).toEqual([["task.begin", { taskId: "t1" }, { whenConnected: true }]]);
  });

  it("is typed once, however often it is given, and reported every time", async () => {
    const { taker, given } = rig(typed);
    const [first, second] = await Promise.all([
      taker.take({ taskId: "t1", text: "go" }),
      taker.take({ taskId: "t1", text: "go" }),
    ]);
    expect([given(), second]).toEqual([1, first]);
    await taker.take({ taskId: "t1", text: "go" });
    expect(given()).toBe(1);
  });

  it("that was refused may be given again", async () => {
    const { taker, given } = rig(() =>
      Promise.resolve({ kind: "refused", rejection: createRefusal("typing"), stillAsked: false }),
    );
    const refused = await taker.take({ taskId: "t1", text: "go" });
    expect(refused.rejection?.code).toBe("typing");
    await taker.take({ taskId: "t1", text: "go" });
    expect(given()).toBe(2);
  });

  it("stops before its next key when the hub is paused, and the next one is not stopped by that", async () => {
    const halted: boolean[] = [];
    const { taker } = rig(async (text, gate, halt) => {
      if (text === "first") taker.halt();
      halted.push(halt.aborted);
      return typed(text, gate);
    });
    await taker.take({ taskId: "t1", text: "first" });
    await taker.take({ taskId: "t2", text: "second" });
    expect(halted).toEqual([true, false]);
  });

  it("is not typed when its record does not come in time", async () => {
    const { taker, clock, answers } = rig(typed);
    answers(() => new Promise(() => undefined));
    const taken = taker.take({ taskId: "t1", text: "go" });
    await turn();
    clock.advance(5_000);
    expect((await taken).rejection?.code).toBe("not_recorded");
  });
});
