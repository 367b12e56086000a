/** The hub hears of typing at the terminal before anything that may become a message, and while somebody types: seldom, or twice a second beside a prompt. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../src/observe/clock.js";
import { TypingReporter } from "../../../../src/worker/session/typing-reporter.js";

function rig() {
  const clock = new ManualClock();
  const told: unknown[] = [];
  const hub = {
    connected: true,
    call: (method: string, params: unknown): Promise<never> => {
      told.push([method, params]);
      return Promise.reject(new Error("an older hub does not know that"));
    },
  };
  return { clock, told, hub, teller: new TypingReporter(clock, hub) };
}

describe("of somebody who types at the terminal the hub", () => {
  it("hears ahead of a question, and how long ago it was", () => {
    const { clock, told, teller } = rig();
    teller.noteTyping(false);
    told.length = 0;
    clock.advance(1_234);
    teller.report();
    expect(told).toEqual([["session.typed", { agoMs: 1_234 }]]);
  });

  it("hears while a question is open, twice a second at most", () => {
    const { clock, told, teller } = rig();
    for (let key = 0; key < 20; key += 1) {
      teller.noteTyping(true);
      clock.advance(100);
    }
    expect(told).toHaveLength(4);
  });

  it("hears without a question as well, once in five seconds", () => {
    const { clock, told, teller } = rig();
    for (let key = 0; key < 100; key += 1) {
      teller.noteTyping(false);
      clock.advance(100);
    }
    expect(told).toHaveLength(2);
  });

  it("hears nothing where nobody has typed, or no hub is", () => {
    const { told, hub, teller } = rig();
    teller.report();
    hub.connected = false;
    teller.noteTyping(true);
    teller.report();
    expect(told).toEqual([]);
  });
});
