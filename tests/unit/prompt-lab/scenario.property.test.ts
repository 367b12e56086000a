/** A malformed scenario or recording, with any change, is refused with one clear error. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRecording } from "../../../prompt-lab/scenario/recording.js";
import { parseScenario } from "../../../prompt-lab/scenario/scenario.js";
import { AtlasBridgeError } from "../../../src/model/errors.js";

/** So many malformed inputs a parser, a clear error each. */
const RUNS = 10_000;
/** Seconds on an idle machine; a busy one must not make it fail. */
const FILE = "some/scenario.json";

const VALID: Readonly<Record<string, unknown>> = {
  tool: "claude",
  scenario_id: "id",
  description: "words",
  recording: [
    { t_ms: 0, data_b64: "aGk=" },
    { t_ms: 1, resize: [80, 24] },
  ],
  cols: 80,
  rows: 24,
  settle_ms: 100,
  tty: { echo: true, canonical: true, blocked_on_read: true, foreground: "sh" },
  expected_type: "TYPE_YES_NO",
  expected_confidence_band: "HIGH",
  expected_excerpt_contains: "hi",
  expected_choices: ["Yes", "No"],
  expected_default: 1,
  expected_content_contains: ["hi"],
  expected_state: "waiting",
  expected_count: 1,
  replies: [{ value: "y", expected_keys: ["y\r"] }],
};

/** The message of the one error that a malformed input may cause; null when the input was accepted. */
function findProblem(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof AtlasBridgeError && error.code === "ATB_SCENARIO_INVALID") return error.message;
    throw error;
  }
}

function expectClear(message: string | null): void {
  if (message === null) return;
  expect(message).toMatch(/scenario\.json(?:, line \d{1,9})?:/);
  expect(message.length).toBeLessThan(1000);
}

const scenarioProblem = (source: string) => findProblem(() => parseScenario(source, FILE, () => ""));

/** A value that no field takes: no field is an object without known keys, and none takes such a word or number. */
const wrong = fc.oneof(
  fc.constantFrom<unknown>(-1, 1e12, "no such word", true, { x: 1 }, [{ y: 2 }], [[]], NaN),
  fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 }),
);
const FREE_TEXTS = new Set(["description", "scenario_id", "expected_excerpt_contains"]);

describe("a malformed scenario", () => {
  it("with any text at all causes one clear error", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (source) => {
        const message = scenarioProblem(source);
        expect(message).not.toBeNull();
        expectClear(message);
      }),
      { numRuns: RUNS },
    );
  });

  it("with one wrong field causes one error that names the field", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(VALID)), wrong, (key, value) => {
        const harmless = FREE_TEXTS.has(key) && typeof value === "string";
        const message = scenarioProblem(JSON.stringify({ ...VALID, [key]: value }));
        if (harmless) return;
        expectClear(message);
        // JSON has no NaN: it arrives as null, which some fields take.
        if (!Number.isNaN(value)) expect(message).toContain(`"${key}`);
      }),
      { numRuns: RUNS },
    );
  });

  it("with a field that nobody knows causes an error that names it", () => {
    const name = fc
      .string({ minLength: 1 })
      .filter((key) => !Object.hasOwn(VALID, key) && !key.startsWith("pty_") && key !== "recording_file");
    fc.assert(
      fc.property(name, fc.jsonValue(), (key, value) => {
        const source = `{${JSON.stringify(key)}:${JSON.stringify(value)},${JSON.stringify(VALID).slice(1)}`;
        expect(scenarioProblem(source)).toContain("unknown key");
      }),
      { numRuns: RUNS },
    );
  });

  it("cut short or with a changed character never causes anything but a clear error", () => {
    const whole = JSON.stringify(VALID);
    fc.assert(
      fc.property(
        fc.nat(whole.length - 1),
        fc.string({ unit: "binary", maxLength: 2 }),
        fc.boolean(),
        (at, put, cut) => {
          const source = whole.slice(0, at) + put + (cut ? "" : whole.slice(at + 1));
          expectClear(scenarioProblem(source));
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe("a malformed recording", () => {
  const line = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.record({ t_ms: fc.jsonValue(), data_b64: fc.jsonValue() }).map((event) => JSON.stringify(event)),
    fc.record({ t_ms: fc.double(), resize: fc.jsonValue() }).map((event) => JSON.stringify(event)),
  );

  it("causes a clear error or is one that can be replayed", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
        expectClear(findProblem(() => parseRecording(lines.join("\n"), FILE)));
      }),
      { numRuns: RUNS },
    );
  });
});
