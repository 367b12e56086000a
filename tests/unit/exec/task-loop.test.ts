/**
 * A loop of `exec` ends at its last turn, or after turns without progress, with the same error or with a refusal. It waits when
 * it has used its turns of an hour.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  startTurn,
  NEW_LOOP,
  findStop,
  finishTurn,
  computeWaitMs,
  type LoopLimits,
  type LoopState,
  type TurnFacts,
} from "../../../src/exec/task-loop.js";

const LIMITS: LoopLimits = { iterations: 100, perHour: 3, noProgress: 3, sameError: 2, denials: 2 };
const DONE: TurnFacts = { problem: null, words: "", callsDone: 1, denials: 0 };
const MINUTE = 60_000;

const after = (...turns: readonly Partial<TurnFacts>[]): LoopState =>
  turns.reduce<LoopState>(
    (state, turn, at) => finishTurn(state, { ...DONE, words: `turn ${at}`, ...turn }),
    NEW_LOOP,
  );

describe("a loop of exec", () => {
  it("goes on as long as it makes progress, up to its last turn", () => {
    expect(findStop(after({}, {}, {}, {}), LIMITS)).toBeNull();
    expect(findStop(after({}, {}), { ...LIMITS, iterations: 2 })).toBe("iterations");
  });

  it("stops after turns in which nothing was done", () => {
    const idle = { callsDone: 0 };
    expect(findStop(after(idle, idle), LIMITS)).toBeNull();
    expect(findStop(after(idle, idle, idle), LIMITS)).toBe("no_progress");
    expect(findStop(after(idle, idle, {}, idle), LIMITS)).toBeNull();
  });

  it("stops after turns that end in the same words", () => {
    const same = { words: "All is done." };
    expect(findStop(after(same, same, same, same), LIMITS)).toBe("no_progress");
  });

  it("stops at the same error, whatever numbers and ids stand in it", () => {
    const failed = (problem: string) => ({ problem });
    expect(
      findStop(after(failed("529 for req_0123456789ab"), failed("529 for req_ba9876543210")), LIMITS),
    ).toBe("same_error");
    expect(findStop(after(failed("overloaded"), failed("no money")), LIMITS)).toBeNull();
    expect(findStop(after(failed("overloaded"), {}, failed("overloaded")), LIMITS)).toBeNull();
  });

  it("stops after turns in which something was refused", () => {
    expect(findStop(after({ denials: 1 }, { denials: 3 }), LIMITS)).toBe("denials");
    expect(findStop(after({ denials: 1 }, {}, { denials: 1 }), LIMITS)).toBeNull();
  });

  it("waits once an hour has as many turns as it may have, until the oldest is an hour old", () => {
    const now = 10_000 * MINUTE;
    const three = [0, 10, 20].reduce<LoopState>(
      (state, minute) => startTurn(state, now + minute * MINUTE),
      NEW_LOOP,
    );
    expect(computeWaitMs(three, LIMITS, now + 30 * MINUTE)).toBe(30 * MINUTE);
    expect(computeWaitMs(three, LIMITS, now + 60 * MINUTE)).toBe(0);
    expect(computeWaitMs(NEW_LOOP, LIMITS, now)).toBe(0);
  });

  it("never begins more turns within an hour than it may, however its clock is read", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 * MINUTE }), { maxLength: 40 }), (gaps) => {
        let now = 1_000_000 * MINUTE;
        let state = NEW_LOOP;
        for (const gap of gaps) {
          now += gap + computeWaitMs(state, LIMITS, now + gap);
          state = startTurn(state, now);
          expect(state.begunAt.length).toBeLessThanOrEqual(LIMITS.perHour);
        }
      }),
    );
  });
});
