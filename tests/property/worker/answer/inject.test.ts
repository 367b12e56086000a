/** After any change between a check and a write no further byte of an answer is typed, and Enter is pressed only on the wanted row. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asId } from "../../../../src/model/ids.js";
import type { InjectionResult } from "../../../../src/sdk/adapter.js";
import type { Candidate } from "../../../../src/sdk/candidate.js";
import { injectAnswer } from "../../../../src/worker/answer/inject.js";
import { DEFAULT_TIMINGS } from "../../../../src/worker/answer/timings.js";
import { arrowList, drive, FakePort, GROUP } from "../../../unit/worker/answer/fake-port.js";
import { makeCandidate, makeChoices, replyTo } from "../../../unit/worker/answer/make.js";

const LABELS = ["Yes", "Always", "Ask again", "No"];
const next = makeCandidate({ question: "Delete the home directory?", fingerprint: asId("next") });

const HAPPENINGS = ["nudge", "redraw", "vanish", "replace", "type", "background", "end"] as const;
type Happening = (typeof HAPPENINGS)[number];

interface Trouble {
  readonly atMs: number;
  readonly what: Happening;
}

const troubles = fc.array(fc.record({ atMs: fc.nat(500), what: fc.constantFrom(...HAPPENINGS) }), {
  maxLength: 5,
});

interface Written {
  readonly keys: string;
  readonly live: Candidate | null;
  readonly quietMs: number;
  readonly group: number | null;
  readonly alive: boolean;
}

function happen(port: FakePort, raised: Candidate, what: Happening): void {
  const live = port.detect();
  switch (what) {
    case "nudge":
      if (live?.highlighted != null)
        port.draw({ ...live, highlighted: (live.highlighted % LABELS.length) + 1 });
      break;
    case "redraw":
      port.draw(null);
      port.drawIn(15, live);
      break;
    case "vanish":
      port.draw(null);
      break;
    case "replace":
      port.draw(next);
      break;
    case "type":
      port.type();
      break;
    case "background":
      port.group = 1;
      port.draw(raised);
      break;
    case "end":
      port.end();
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
  const port = new FakePort(raised);
  const written: Written[] = [];
  for (const { atMs, what } of events) port.clock.after(atMs, () => happen(port, raised, what));
  port.waitUntilParsed = () => new Promise((resolve) => void port.clock.after(slowMs / 4, resolve));
  port.react = (keys) => {
    const { clock, typed, group, lives } = port;
    const live = port.detect();
    written.push({ keys, live, quietMs: clock.monotonic() - typed, group, alive: lives });
    const by = { "\u001b[A": -1, "\u001b[B": 1 }[keys];
    clock.after(slowMs, () => {
      const now = port.detect();
      if (now === null || now.fingerprint !== raised.fingerprint) return;
      if (by === undefined) port.draw(next);
      else if (now.highlighted !== null) port.draw({ ...now, highlighted: now.highlighted + by });
    });
  };
  const gate = (): Promise<void> => new Promise((resolve) => void port.clock.after(gateMs, resolve));
  const reply = replyTo(raised, String(target));
  const result = await drive(port.clock, injectAnswer(port, raised, reply, gate, { raisedGroup: GROUP }));
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

describe("any change between a check and a write", () => {
  it("is followed by no byte, and Enter is pressed on the wanted row or not at all", async () => {
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

  it("lets a digit be written once, into its own dialog, or not at all", async () => {
    await fc.assert(
      fc.asyncProperty(row, slow, troubles, slow, async (to, slowMs, events, gateMs) => {
        const raised = makeCandidate({ choices: makeChoices(...LABELS.map((label) => ({ label }))) });
        const outcome = await run(raised, to, slowMs, events, gateMs);
        expectSafe(outcome, raised);
        expect(outcome.written.map(({ keys }) => keys)).toEqual(outcome.written.length ? [String(to)] : []);
      }),
      RUNS,
    );
  });
});
