import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asId } from "../../../../src/model/ids.js";
import type { InjectionResult } from "../../../../src/sdk/adapter.js";
import type { Candidate } from "../../../../src/sdk/candidate.js";
import { injectReply } from "../../../../src/worker/answer/inject.js";
import { DEFAULT_TIMINGS } from "../../../../src/worker/answer/timings.js";
import { arrowList, drive, FakeHands, GROUP } from "../../../unit/worker/answer/fake-hands.js";
import { candidateOf, choicesOf, replyTo } from "../../../unit/worker/answer/make.js";

const LABELS = ["Yes", "Always", "Ask again", "No"];
const next = candidateOf({ question: "Delete the home directory?", fingerprint: asId("next") });

const HAPPENINGS = ["nudge", "redraw", "vanish", "replace", "type", "background", "end"] as const;
type Happening = (typeof HAPPENINGS)[number];

interface Trouble {
  readonly atMs: number;
  readonly what: Happening;
}

const troubles = fc.array(fc.record({ atMs: fc.nat(500), what: fc.constantFrom(...HAPPENINGS) }), {
  maxLength: 5,
});

/** What stood on the screen at the instant of each write. */
interface Written {
  readonly keys: string;
  readonly live: Candidate | null;
  readonly quietMs: number;
  readonly group: number | null;
  readonly alive: boolean;
}

function happen(hands: FakeHands, raised: Candidate, what: Happening): void {
  const live = hands.detect();
  switch (what) {
    case "nudge":
      if (live?.highlighted != null)
        hands.draw({ ...live, highlighted: (live.highlighted % LABELS.length) + 1 });
      break;
    case "redraw":
      hands.draw(null);
      hands.drawIn(15, live);
      break;
    case "vanish":
      hands.draw(null);
      break;
    case "replace":
      hands.draw(next);
      break;
    case "type":
      hands.type();
      break;
    case "background":
      hands.group = 1;
      hands.draw(raised);
      break;
    case "end":
      hands.end();
  }
}

interface Run {
  readonly result: InjectionResult;
  readonly written: readonly Written[];
}

async function run(
  raised: Candidate,
  target: number,
  slowMs: number,
  events: Trouble[],
  gateMs: number,
): Promise<Run> {
  const hands = new FakeHands(raised);
  const written: Written[] = [];
  for (const { atMs, what } of events) hands.clock.after(atMs, () => happen(hands, raised, what));
  hands.settled = () => new Promise((resolve) => void hands.clock.after(slowMs / 4, resolve));
  hands.react = (keys) => {
    const { clock, typed, group, lives } = hands;
    const live = hands.detect();
    written.push({ keys, live, quietMs: clock.monotonic() - typed, group, alive: lives });
    const by = { "\u001b[A": -1, "\u001b[B": 1 }[keys];
    clock.after(slowMs, () => {
      const now = hands.detect();
      if (now === null || now.fingerprint !== raised.fingerprint) return;
      if (by === undefined) hands.draw(next);
      else if (now.highlighted !== null) hands.draw({ ...now, highlighted: now.highlighted + by });
    });
  };
  const gate = (): Promise<void> => new Promise((resolve) => void hands.clock.after(gateMs, resolve));
  const reply = replyTo(raised, String(target));
  const result = await drive(hands.clock, injectReply(hands, raised, reply, gate, { raisedGroup: GROUP }));
  return { result, written };
}

function expectSafe({ result, written }: Run, raised: Candidate): void {
  for (const { live, quietMs, group, alive } of written) {
    expect(live?.fingerprint).toBe(raised.fingerprint);
    expect(quietMs).toBeGreaterThanOrEqual(DEFAULT_TIMINGS.typingQuietMs);
    expect(group).toBe(GROUP);
    expect(alive).toBe(true);
  }
  if (result.kind === "refused") expect(written).toEqual([]);
  else expect(result.receipt.bytesWritten).toBe(written.reduce((sum, { keys }) => sum + keys.length, 0));
}

const row = fc.integer({ min: 1, max: LABELS.length });
const slow = fc.integer({ min: 1, max: 80 });
const RUNS = { numRuns: 400 };

describe("whatever happens between a check and a write", () => {
  it("no byte follows a change, and Enter is pressed on the wanted row or not at all", async () => {
    await fc.assert(
      fc.asyncProperty(row, row, slow, troubles, slow, async (from, to, slowMs, events, gateMs) => {
        const raised = arrowList(LABELS, from);
        const outcome = await run(raised, to, slowMs, events, gateMs);
        expectSafe(outcome, raised);
        const { result, written } = outcome;
        const enter = written.findIndex(({ keys }) => keys === "\r");
        if (enter >= 0) {
          expect(enter).toBe(written.length - 1);
          expect(written[enter]!.live!.highlighted).toBe(to);
        }
        const outcomes = enter >= 0 ? ["answered", "uncertain"] : ["failed", "uncertain"];
        if (result.kind === "receipt") expect(outcomes).toContain(result.receipt.outcome);
      }),
      RUNS,
    );
  });

  it("a digit is written once, into its own dialog, or not at all", async () => {
    await fc.assert(
      fc.asyncProperty(row, slow, troubles, slow, async (to, slowMs, events, gateMs) => {
        const raised = candidateOf({ choices: choicesOf(...LABELS.map((label) => ({ label }))) });
        const outcome = await run(raised, to, slowMs, events, gateMs);
        expectSafe(outcome, raised);
        expect(outcome.written.map(({ keys }) => keys)).toEqual(outcome.written.length ? [String(to)] : []);
      }),
      RUNS,
    );
  });
});
