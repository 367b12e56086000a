/**
 * Under any events on the screen and at the keyboard, the tracker raises each question once in an epoch, withdraws only the
 * prompt that it raised last, and finally raises a question that stands still.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asId, type Fingerprint } from "../../../../../src/model/ids.js";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import { CLOSING_MS } from "../../../../../src/worker/detection/live/tracker-limits.js";
import { advanceTracker, type TrackerOutput } from "../../../../../src/worker/detection/live/tracker.js";
import {
  INITIAL_TRACKER,
  type TrackerInput,
} from "../../../../../src/worker/detection/live/tracker-state.js";

const STABLE_MS = 100;

function candidate(name: string): Candidate {
  return {
    rule: "rule",
    shape: "list",
    promptType: "multiple_choice",
    safetyClass: name === "menu" ? "user_menu" : "permission",
    score: 0.9,
    question: name,
    choices: [],
    highlighted: null,
    constraints: {},
    content: { text: name, cut: null },
    drawn: name,
    listed: "",
    size: { cols: 80, rows: 24 },
    region: { top: 0, bottom: 5 },
    fingerprint: asId<Fingerprint>(name),
    committingKeys: ["\r"],
    endsTool: [],
  };
}

const SHOWN = { A: candidate("A"), B: candidate("B"), menu: candidate("menu"), nothing: null } as const;

type Event =
  | {
      readonly do: "look";
      readonly at: keyof typeof SHOWN;
      readonly bytes: number;
      readonly unfinished: boolean;
    }
  | { readonly do: "resized" | "reply_unsettled" | "settled" | "local" | "us" };

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("look" as const),
      at: fc.constantFrom("A" as const, "A" as const, "B" as const, "menu" as const, "nothing" as const),
      bytes: fc.constantFrom(0, 40, 190, 2000),
      unfinished: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constantFrom("resized", "reply_unsettled", "settled", "local", "us") }),
);
const script = fc.array(fc.tuple(fc.constantFrom(0, 5, 50, 100, 300, 1000), event), { maxLength: 80 });

interface Told {
  readonly now: number;
  readonly output: TrackerOutput;
}

/** Plays a script and says everything that came out, with the inputs that came in between. */
function play(steps: readonly (readonly [number, Event])[]): {
  told: Told[];
  epochs: number[];
  dropped: boolean[];
} {
  let state = INITIAL_TRACKER;
  let now = 0;
  let outputBytes = 0;
  let outputAt = -Infinity;
  const told: Told[] = [];
  const epochs: number[] = [];
  const dropped: boolean[] = [];
  for (const [pause, step] of steps) {
    now += pause;
    if (step.do === "look" && step.bytes > 0) [outputBytes, outputAt] = [outputBytes + step.bytes, now];
    const { state: next, outputs } = advanceTracker(state, makeInput(step, { now, outputBytes, outputAt }));
    const silently = state.pending !== null && next.pending === null && outputs.length === 0;
    state = next;
    dropped.push(silently);
    epochs.push(state.epoch);
    told.push(...outputs.map((output) => ({ now, output })));
  }
  return { told, epochs, dropped };
}

function makeInput(step: Event, facts: { now: number; outputBytes: number; outputAt: number }): TrackerInput {
  const { now, outputBytes, outputAt } = facts;
  if (step.do === "local" || step.do === "us")
    return { kind: "committing_key", now, by: step.do, outputBytes };
  if (step.do === "settled") return { kind: "settled", now, closesWithinMs: CLOSING_MS };
  if (step.do !== "look") return { kind: step.do, now };
  return {
    kind: "frame",
    now,
    candidate: SHOWN[step.at],
    state: null,
    stableMs: STABLE_MS,
    quietKey: step.at,
    isUnfinished: step.unfinished,
    outputAt,
    outputBytes,
    lineFeeds: 0,
  };
}

describe("the tracker, under any events on the screen and at the keyboard", () => {
  it("never lowers the epoch", () => {
    fc.assert(
      fc.property(script, (steps) => {
        const { epochs } = play(steps);
        expect(epochs.every((epoch, index) => index === 0 || epoch >= (epochs[index - 1] ?? 0))).toBe(true);
      }),
    );
  });

  it("raises no question twice in one epoch, and none while another one is open", () => {
    fc.assert(
      fc.property(script, (steps) => {
        const { told } = play(steps);
        const keys = told.flatMap(({ output }) =>
          output.kind === "raise" ? [`${output.epoch} ${output.candidate.fingerprint}`] : [],
        );
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it("withdraws exactly the prompt that was raised last", () => {
    fc.assert(
      fc.property(script, (steps) => {
        let open = false;
        for (const { output } of play(steps).told) {
          if (output.kind === "withdraw") {
            expect(open).toBe(true);
            open = false;
          }
          // A reply or request that was settled elsewhere ends a prompt without a word.
          if (output.kind === "raise") open = true;
        }
      }),
    );
  });

  it("ends a prompt without a withdrawal only after a settled reply or request", () => {
    fc.assert(
      fc.property(script, (steps) => {
        play(steps).dropped.forEach((silently, index) => {
          if (silently) expect(steps[index]?.[1].do).toMatch(/unsettled|settled/);
        });
      }),
    );
  });

  it("never raises a menu that the user opened", () => {
    fc.assert(
      fc.property(script, (steps) => {
        const raised = play(steps).told.flatMap(({ output }) =>
          output.kind === "raise" ? [output.candidate.question] : [],
        );
        expect(raised).not.toContain("menu");
      }),
    );
  });

  it("finally raises a question that stands still", () => {
    fc.assert(
      fc.property(script, (steps) => {
        const look = { do: "look", at: "A", bytes: 0, unfinished: false } as const;
        const still = Array.from({ length: 80 }, () => [100, look] as const);
        const { told } = play([...steps, ...still]);
        const last = told.findLast(({ output }) => output.kind !== "state")?.output;
        expect(last).toMatchObject({ kind: "raise", candidate: { question: "A" } });
      }),
    );
  });
});
