/** Waiting for an answer ends by its time, by the client or because nobody can be reached, and leaves no timer. */
import { describe, expect, it, vi } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { createAskHumanRequest } from "../../../../../src/worker/integrations/mcp/ask-human.js";
import { AnswerWait, REACH_WITHIN_MS } from "../../../../../src/worker/integrations/mcp/answer-wait.js";
import { withDeadline } from "../../../../../src/worker/prompts/pending-request.js";

function wait(limitMs: number) {
  const clock = new ManualClock();
  const client = new AbortController();
  const reach: { problem: string | null } = { problem: null };
  let isGone = false;
  const waiting = new AnswerWait({
    clock,
    signal: client.signal,
    limitMs,
    ifLate: "timed_out",
    reach,
    isClientGone: () => isGone,
  });
  return { clock, client, reach, waiting, leave: () => (isGone = true) };
}

describe("waiting for an answer", () => {
  it("ends when its time is over, and not before", () => {
    const { clock, waiting } = wait(5000);
    clock.advance(4999);
    expect(waiting.signal.aborted).toBe(false);
    clock.advance(1);
    expect(waiting.signal.reason).toBe("timed_out");
    expect(waiting.gone).toMatchObject({ why: "timed_out" });
  });

  it("goes on without a time limit", () => {
    const { clock, waiting } = wait(0);
    clock.advance(24 * 3600 * 1000);
    expect(waiting.signal.aborted).toBe(false);
  });

  it("ends when the client takes the question back, or is gone", () => {
    const back = wait(0);
    back.client.abort();
    expect(back.waiting.signal.reason).toBe("taken_back");
    const gone = wait(0);
    gone.leave();
    gone.client.abort();
    expect(gone.waiting.signal.reason).toBe("session_ended");
  });

  it("is over at once where the client took the question back before, and nothing is looked at any more", () => {
    const clock = new ManualClock();
    const look = vi.spyOn(clock, "after");
    const client = AbortSignal.abort();
    const options = {
      clock,
      signal: client,
      limitMs: 5000,
      ifLate: "refused_late" as const,
      reach: { problem: null },
    };
    const waiting = new AnswerWait({ ...options, isClientGone: () => false });
    expect(waiting.signal.reason).toBe("taken_back");
    expect(waiting.gone).toMatchObject({ why: "taken_back" });
    expect(look).not.toHaveBeenCalled();
    waiting.stop();
  });

  it("ends when nobody could be reached for too long, with the reason", () => {
    const { clock, reach, waiting } = wait(0);
    reach.problem = "no hub";
    clock.advance(REACH_WITHIN_MS - 2000);
    expect(waiting.signal.aborted).toBe(false);
    clock.advance(4000);
    expect(waiting.gone).toEqual({ kind: "gone", why: "unreachable", problem: "no hub" });
    // The agent did not withdraw it.
    expect(waiting.signal.reason).toBe("unattended");
  });

  it("starts its time again once somebody could be reached", () => {
    const { clock, reach, waiting } = wait(0);
    for (let round = 0; round < 5; round++) {
      reach.problem = "no hub";
      clock.advance(REACH_WITHIN_MS - 2000);
      reach.problem = null;
      clock.advance(2000);
    }
    expect(waiting.signal.aborted).toBe(false);
  });

  it("leaves no timer behind", () => {
    const { clock, waiting } = wait(5000);
    waiting.stop();
    clock.advance(10_000);
    expect(waiting.signal.aborted).toBe(false);
  });
});

describe("the time limit on a card", () => {
  const asking = createAskHumanRequest({ question: "Which colour?", choices: ["red", "blue"] });

  it("says that the prompt is refused then only where its client gets a No", () => {
    const read = (isRefused: boolean) => {
      const { answerBy, refusedLate } = withDeadline(asking, 5, isRefused).prompt.constraints;
      return { answerBy, refusedLate };
    };
    expect(read(true)).toEqual({ answerBy: 5, refusedLate: true });
    expect(read(false)).toEqual({ answerBy: 5, refusedLate: undefined });
  });
});
