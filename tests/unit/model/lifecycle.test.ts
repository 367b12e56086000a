/**
 * Every event in every state of a prompt leads where the table of states says, or nowhere, and no order of events begins two
 * injections.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  OPEN_STATES,
  PROMPT_STATES,
  advance,
  isOpen,
  type LifecycleEvent,
  type PromptState,
} from "../../../src/model/lifecycle.js";

const EVENTS: Readonly<Record<string, LifecycleEvent>> = {
  asked: { kind: "asked" },
  claimed: { kind: "claimed" },
  refused: { kind: "refused" },
  began: { kind: "injection_began" },
  answered: { kind: "receipt", outcome: "answered" },
  uncertain: { kind: "receipt", outcome: "uncertain" },
  failed: { kind: "receipt", outcome: "failed" },
  withdrawn: { kind: "withdrawn" },
  superseded: { kind: "superseded" },
  expired: { kind: "expired" },
  ended: { kind: "session_ended", planForesawEnd: false },
  endedAsForeseen: { kind: "session_ended", planForesawEnd: true },
};

/** The table of docs/explanation/architecture.md#life-of-a-prompt, written down once more on purpose. */
const LEGAL: Readonly<Partial<Record<PromptState, Readonly<Record<string, PromptState>>>>> = {
  detected: {
    asked: "pending",
    claimed: "answering",
    withdrawn: "withdrawn",
    superseded: "superseded",
    ended: "withdrawn",
    endedAsForeseen: "withdrawn",
  },
  pending: {
    claimed: "answering",
    withdrawn: "withdrawn",
    superseded: "superseded",
    expired: "expired",
    ended: "withdrawn",
    endedAsForeseen: "withdrawn",
  },
  answering: {
    began: "injecting",
    refused: "pending",
    withdrawn: "withdrawn",
    superseded: "superseded",
    ended: "withdrawn",
    endedAsForeseen: "withdrawn",
  },
  injecting: {
    answered: "answered",
    uncertain: "uncertain",
    failed: "failed",
    withdrawn: "withdrawn",
    ended: "uncertain",
    endedAsForeseen: "answered",
  },
};

const PAIRS = PROMPT_STATES.flatMap((state) => Object.keys(EVENTS).map((name) => ({ state, name })));

function canAdvance(state: PromptState, event: LifecycleEvent): boolean {
  try {
    advance(state, event);
    return true;
  } catch {
    return false;
  }
}

describe("the life of a prompt", () => {
  it.each(PAIRS)("$state, $name: goes where the table says, or nowhere", ({ state, name }) => {
    const event = EVENTS[name]!;
    const next = LEGAL[state]?.[name];
    expect(canAdvance(state, event)).toBe(next !== undefined);
    if (next === undefined) expect(() => advance(state, event)).toThrow(`a ${state} prompt cannot take`);
    else expect(advance(state, event).state).toBe(next);
  });

  it("has no way back from a closed state, and every step into one settles the cards", () => {
    for (const { state, name } of PAIRS) {
      const event = EVENTS[name]!;
      if (!isOpen(state)) expect(canAdvance(state, event)).toBe(false);
      else if (canAdvance(state, event)) {
        const step = advance(state, event);
        if (!isOpen(step.state)) expect(step.effects).toContain("settle");
      }
    }
  });

  it("mints a nonce whenever a prompt becomes claimable, and only then", () => {
    for (const { state, name } of PAIRS) {
      const event = EVENTS[name]!;
      if (!canAdvance(state, event)) continue;
      const step = advance(state, event);
      expect(step.effects.includes("mint_nonce")).toBe(step.state === "pending");
    }
  });

  it("stays in the table for any order of events, and begins at most one injection", () => {
    const names = fc.array(fc.constantFrom(...Object.keys(EVENTS)), { maxLength: 60 });
    fc.assert(
      fc.property(names, (order) => {
        let state: PromptState = "detected";
        let injections = 0;
        for (const name of order) {
          const event = EVENTS[name]!;
          if (!canAdvance(state, event)) continue;
          state = advance(state, event).state;
          if (name === "began") injections += 1;
          expect(PROMPT_STATES).toContain(state);
        }
        expect(injections).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("counts exactly the states with a next state as open", () => {
    expect(OPEN_STATES).toEqual(Object.keys(LEGAL));
  });
});
