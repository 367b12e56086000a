/** An asciicast of version 2 or 3, or JSON lines, is read as a recording or refused with the place of the mistake. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importRecording } from "../../../prompt-lab/record/import.js";
import { AtlasBridgeError } from "../../../src/model/errors.js";
import type { RecordingEvent } from "../../../src/worker/screen/recording-event.js";

const V2 = [
  '{"version": 2, "width": 100, "height": 30, "timestamp": 1, "env": {"TERM": "xterm"}, "command": "claude --x"}',
  '[0.248848, "o", "Continue? [y/N] "]',
  '[1.5, "i", "y"]',
  '[1.4999, "o", "y\\r\\n"]',
  '[2, "r", "80x24"]',
  '[2.1, "m", "a mark"]',
];
const V3 = [
  '{"version": 3, "term": {"cols": 100, "rows": 30, "type": "xterm"}}',
  "# a comment",
  '[0.25, "o", "Continue? "]',
  '[1, "r", "80x24"]',
  '[0.5, "x", "0"]',
  "",
  '[0.25, "o", "é"]',
];

const read = (lines: readonly string[]) => importRecording(lines.join("\n"), "a.cast");

function plain(events: readonly RecordingEvent[]): unknown[] {
  return events.map((event) => {
    if ("resize" in event) return [event.t_ms, ...event.resize];
    const [way, bytes] = "data_b64" in event ? ["out", event.data_b64] : ["in", event.input_b64];
    return [event.t_ms, way, Buffer.from(bytes, "base64").toString()];
  });
}

describe("an asciicast", () => {
  it("of version 2 gives instants, size and command", () => {
    const { events, ...facts } = read(V2);
    expect(facts).toEqual({ cols: 100, rows: 30, command: "claude --x" });
    expect(plain(events)).toEqual([
      [248.8, "out", "Continue? [y/N] "],
      [1500, "in", "y"],
      [1500, "out", "y\r\n"],
      [2000, 80, 24],
    ]);
  });

  it("of version 3 gives pauses, and may hold comments", () => {
    const { events, ...facts } = read(V3);
    expect(facts).toEqual({ cols: 100, rows: 30, command: null });
    expect(plain(events)).toEqual([
      [250, "out", "Continue? "],
      [1250, 80, 24],
      [2000, "out", "é"],
    ]);
  });

  it.each([
    [
      '{"version": 1, "width": 80}',
      'a.cast, line 1: "version": expected an asciicast of version 2 or 3, found 1',
    ],
    ['{"version": 2, "height": 24}', 'a.cast, line 1: "width" is missing'],
    ['{"version": 3, "term": {"cols": 0, "rows": 24}}', '"term.cols": expected a whole number'],
    ['{"version": 3}', 'a.cast, line 1: "term" is missing'],
    [`${V2[0]}\n{}`, "a.cast, line 2: "],
    [`${V2[0]}\n[-1, "o", ""]`, "a.cast, line 2: "],
    [`${V2[0]}\n[1, "o"]`, "a.cast, line 2: "],
    [`${V2[0]}\n[1, "r", "wide"]`, "a.cast, line 2: "],
    [`${V2[0]}\n[1, "o", "x"`, "a.cast, line 2: is not JSON"],
    [`${V2[0]}\n[1e9, "o", ""]`, "a.cast, line 2: lies beyond 86400000 ms"],
    ["", "a.cast: is empty"],
    ["null", "a.cast, line 1: "],
  ])("that is broken is refused with its place: %s", (source, problem) => {
    expect(() => importRecording(source, "a.cast")).toThrow(problem);
  });
});

describe("JSON lines", () => {
  it("are taken as they are, the first size as that of the terminal", () => {
    const lines = ['{"t_ms": 0, "resize": [45, 20]}', '{"t_ms": 5, "data_b64": "eA=="}'];
    const { events, ...facts } = read(lines);
    expect(facts).toEqual({ cols: 45, rows: 20, command: null });
    expect(plain(events)).toEqual([[5, "out", "x"]]);
    expect(read(lines.slice(1))).toMatchObject({ cols: 80, rows: 24 });
  });
});

describe("any other input", () => {
  const line = fc.oneof(
    fc.constantFrom(...V2, ...V3),
    fc.json(),
    fc.string(),
    fc
      .tuple(fc.double(), fc.constantFrom("o", "i", "r", "z"), fc.string())
      .map((entry) => JSON.stringify(entry)),
  );

  it("is read or refused with a clear error", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        try {
          const { events } = read(lines);
          const times = events.map((event) => event.t_ms);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
        } catch (error) {
          expect(error).toBeInstanceOf(AtlasBridgeError);
          expect((error as AtlasBridgeError).message).toContain("a.cast");
        }
      }),
      { numRuns: 2000 },
    );
  });
});
