/** Recordings of the real claude raise exactly the expected number of prompts, however their bytes are cut or joined. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRecording } from "../../../../../prompt-lab/scenario/recording.js";
import type { RecordingEvent } from "../../../../../src/worker/screen/recording-event.js";
import { replay, type ReplayResult } from "../../../../../prompt-lab/replay/replay.js";
import { shippedAdapter } from "../screens.js";

const claude = shippedAdapter("claude");
const CORPUS = "prompt-lab/scenarios/claude";

function loadRecording(name: string): readonly RecordingEvent[] {
  const file = `${CORPUS}/${name}.jsonl`;
  return parseRecording(readFileSync(file, "utf8"), file);
}

function readSize(name: string): { cols: number; rows: number } {
  const [, cols, rows] = /-(\d+)x(\d+)-/.exec(name) ?? [];
  return { cols: Number(cols), rows: Number(rows) };
}

function play(name: string, events: readonly RecordingEvent[]): Promise<ReplayResult> {
  return replay(claude, events, readSize(name));
}

type Cut = (events: readonly RecordingEvent[]) => RecordingEvent[];

/** A redraw of 2000 bytes takes no longer than this, however it is cut: nobody could call a slower one a redraw. */
const REDRAW_MS = 300;

function gapFor(size: number, share: number): number {
  return (share * REDRAW_MS * size) / 2000;
}

/** Pieces of `size` bytes; `gapMs` apart, or all at the instant of the whole. */
function pieces(size: number, gapMs = 0): Cut {
  return (events) =>
    events.flatMap((event, index): RecordingEvent[] => {
      if (!("data_b64" in event)) return [event];
      const bytes = Buffer.from(event.data_b64, "base64");
      const count = Math.ceil(bytes.length / size);
      const room = (events[index + 1]?.t_ms ?? event.t_ms + 1000) - event.t_ms;
      const step = Math.min(gapMs, room / (count + 1));
      return Array.from({ length: count }, (_, i) => ({
        t_ms: event.t_ms + i * step,
        data_b64: bytes.subarray(i * size, (i + 1) * size).toString("base64"),
      }));
    });
}

/** Everything within `windowMs` arrives in one read: what was drawn in between is never seen. */
function glued(windowMs: number): Cut {
  return (events) => {
    const out: RecordingEvent[] = [];
    let begun = -Infinity;
    for (const event of events) {
      const last = out.at(-1);
      const joins = "data_b64" in event && last && "data_b64" in last && event.t_ms - begun <= windowMs;
      if (!joins) {
        begun = event.t_ms;
        out.push(event);
        continue;
      }
      const bytes = [last, event].map((each) => Buffer.from(each.data_b64, "base64"));
      out[out.length - 1] = { t_ms: event.t_ms, data_b64: Buffer.concat(bytes).toString("base64") };
    }
    return out;
  };
}

const CUTS: readonly (readonly [string, Cut])[] = [
  ["as recorded", (events) => [...events]],
  ["one byte a read", pieces(1)],
  ["two bytes a read", pieces(2)],
  ["three bytes a read", pieces(3)],
  ["seven bytes a read", pieces(7)],
  ["64 bytes every 5 ms", pieces(64, 5)],
  ["500 bytes every 30 ms", pieces(500, 30)],
  ["whole redraws in one read", glued(150)],
];

/** Recording, prompts over all of it, and whether one waits at the end. */
const TABLE: readonly (readonly [name: string, prompts: number, waits: boolean])[] = [
  ["bash-120x40-2.1.329", 1, true],
  ["bash-80x24-2.1.329", 1, true],
  ["bash-45x20-2.1.329", 1, true],
  ["write-45x20-2.1.329", 1, true],
  ["edit-80x24-2.0.76", 1, true],
  ["plan-80x24-2.1.329", 1, true],
  ["ask-single-45x20-2.1.329", 1, true],
  ["trust-80x24-2.1.329", 1, true],
  // Arrows up and down, then an answer: one question all the while.
  ["bash-moved-answered-120x40-2.1.329", 1, false],
  ["ask-single-moved-answered-80x24-2.1.329", 1, false],
  // 120×40, 80×24, 45×20 and back.
  ["bash-resized-120x40-2.1.329", 1, true],
  ["bash-resized-80x24-2.0.76", 1, true],
  // At 45 columns a part of the change is hidden, so nobody sees whether it is the same one: three questions.
  ["edit-resized-120x40-2.1.329", 3, true],
  // Here a row is missing at 45 columns, so "2" means another thing there: three questions.
  ["mcp-resized-120x40-2.1.329", 3, true],
  // Two equal calls in a row, the second dialog drawn 80 ms after the first was answered.
  ["twins-first-120x40-2.1.329", 1, true],
  ["twins-second-120x40-2.1.329", 2, true],
  ["twins-both-80x24-2.1.329", 2, false],
  ["twins-both-80x24-2.0.76", 2, false],
  ["twins-resized-80x24-2.1.329", 2, true],
  ["mcp-twins-both-80x24-2.1.329", 2, false],
  // The same command again, in a later turn.
  ["again-both-120x40-2.1.329", 2, false],
  ["again-silent-second-80x24-2.0.76", 2, true],
  // Several questions in one dialog, ticks in between, a review page at the end.
  ["ask-two-review-80x24-2.1.329", 3, true],
  ["ask-multi-review-80x24-2.1.329", 2, true],
  // Nothing is asked.
  ["no-prompt-tricky-done-80x24-2.1.329", 0, false],
  ["no-prompt-bash-running-80x24-2.1.329", 0, false],
];

describe.each(TABLE)("%s", (name, prompts, waits) => {
  const events = loadRecording(name);

  it.each(CUTS)(`raises ${prompts} with %s`, async (_cut, cut) => {
    const { raised, pending } = await play(name, cut(events));
    expect(raised).toHaveLength(prompts);
    expect(pending !== null).toBe(waits);
    expect(new Set(raised.map(({ candidate, epoch }) => `${epoch} ${candidate.fingerprint}`)).size).toBe(
      prompts,
    );
  });
});

describe("any cut of the bytes", () => {
  it.each(["bash-80x24-2.1.329", "twins-both-80x24-2.1.329", "bash-resized-80x24-2.0.76"])(
    "raises the same prompts from %s",
    async (name) => {
      const events = loadRecording(name);
      const whole = await play(name, events);
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 400 }),
          fc.double({ min: 0, max: 1, noNaN: true }),
          async (size, share) => {
            const cut = await play(name, pieces(size, gapFor(size, share))(events));
            expect(cut.raised.map(({ candidate }) => candidate.fingerprint)).toEqual(
              whole.raised.map(({ candidate }) => candidate.fingerprint),
            );
            expect(cut.pending?.candidate).toEqual(whole.pending?.candidate);
            expect(cut.view.lines.map((line) => line.text)).toEqual(
              whole.view.lines.map((line) => line.text),
            );
          },
        ),
        { numRuns: 10 },
      );
    },
  );
});

describe("equal calls in a row", () => {
  it("have one fingerprint, and are two prompts by their epochs", async () => {
    const { raised } = await play("twins-both-120x40-2.1.329", loadRecording("twins-both-120x40-2.1.329"));
    const [first, second] = raised;
    expect(first?.candidate.fingerprint).toBe(second?.candidate.fingerprint);
    expect(second?.epoch).toBeGreaterThan(first?.epoch ?? Infinity);
    expect(raised.map(({ withdrawReason }) => withdrawReason)).toEqual([
      "answered_locally",
      "answered_locally",
    ]);
  });

  it("are told apart even when no frame ever saw the first dialog gone", async () => {
    const name = "twins-second-120x40-2.1.329";
    const { raised } = await play(name, glued(400)(loadRecording(name)));
    expect(raised.map(({ withdrawReason }) => withdrawReason)).toEqual(["answered_locally", null]);
  });
});

describe("a dialog that a busy machine draws twenty times slower", () => {
  const slowly: Cut = (events) => events.map((event) => ({ ...event, t_ms: event.t_ms * 20 }));

  it.each([
    "edit-45x20-2.1.329",
    "edit-80x24-2.1.329-signals",
    "write-120x40-2.1.329",
    "bash-120x40-2.1.329",
  ])("is raised once, with all of its content: %s", async (name) => {
    const { raised } = await play(name, slowly(loadRecording(name)));
    const [usual] = (await play(name, loadRecording(name))).raised;
    expect(raised.map(({ candidate }) => candidate.content)).toEqual([usual?.candidate.content]);
  });
});

describe("a prompt", () => {
  it("is raised within 250 ms of its last byte", async () => {
    for (const name of ["bash-80x24-2.1.329", "write-120x40-2.1.329", "ask-single-80x24-2.1.329"]) {
      const events = loadRecording(name);
      const { raised } = await play(name, events);
      const drawn = events.findLast(
        (event) => "data_b64" in event && Buffer.from(event.data_b64, "base64").length > 500,
      );
      expect((raised[0]?.raisedAt ?? Infinity) - (drawn?.t_ms ?? 0)).toBeLessThanOrEqual(250);
    }
  });
});
