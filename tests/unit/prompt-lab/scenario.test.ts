/** A scenario file is read with the pattern lists of the adapter spec, and a broken one is refused with the place of the mistake. */
import { describe, expect, it } from "vitest";
import { parseScenario, type Scenario } from "../../../prompt-lab/scenario/scenario.js";
import { AtlasBridgeError } from "../../../src/model/errors.js";

const SEED = {
  tool: "claude",
  scenario_id: "claude_yes_no_file_overwrite",
  description: "Claude Code asking to overwrite an existing file",
  pty_output: "Do you want to overwrite /src/main.py? (y/n) ",
  expected_type: "TYPE_YES_NO",
  expected_confidence_band: "HIGH",
  expected_excerpt_contains: "overwrite /src/main.py",
  expected_choices: [],
};
const LEAST = { tool: "generic", scenario_id: "x", pty_output: "", expected_type: null };

function parse(value: unknown, files: Readonly<Record<string, string>> = {}): Scenario {
  return parseScenario(JSON.stringify(value), "a/x.json", (path) => files[path] ?? "");
}

function problem(value: unknown): string {
  try {
    parse(value);
  } catch (error) {
    if (error instanceof AtlasBridgeError && error.code === "ATB_SCENARIO_INVALID") return error.message;
    throw error;
  }
  throw new Error("was accepted");
}

function shown({ events }: Scenario): string {
  return events
    .map((event) => ("data_b64" in event ? Buffer.from(event.data_b64, "base64").toString() : ""))
    .join("");
}

describe("a scenario file", () => {
  it("takes the adapter spec's own example unchanged", () => {
    const scenario = parse(SEED);
    expect(scenario.expected).toEqual({
      type: "yes_no",
      confidence: "high",
      excerptContains: "overwrite /src/main.py",
    });
    expect([scenario.cols, scenario.rows, scenario.settleMs]).toEqual([80, 24, 3000]);
    expect(shown(scenario)).toBe(SEED.pty_output);
  });

  it("takes both spellings of a type and of a confidence", () => {
    expect(parse({ ...SEED, expected_type: "confirm_enter" }).expected.type).toBe("confirm_enter");
    expect(parse({ ...SEED, expected_type: "TYPE_SECRET" }).expected.type).toBe("secret");
    const band = (name: string) => parse({ ...SEED, expected_confidence_band: name }).expected.confidence;
    expect(["HIGH", "high", "MED", "medium", "LOW"].map(band)).toEqual([
      "high",
      "high",
      "medium",
      "medium",
      "low",
    ]);
  });

  it("asserts nothing by an empty list of choices on a yes/no, and no choices on anything else", () => {
    expect(parse(SEED).expected.choices).toBeUndefined();
    expect(parse({ ...SEED, expected_type: "free_text" }).expected.choices).toEqual([]);
  });

  it("keeps apart a default that must be absent and one that does not matter", () => {
    expect(parse({ ...SEED, expected_default: null }).expected.defaultChoice).toBeNull();
    expect("defaultChoice" in parse(SEED).expected).toBe(false);
  });

  it("turns the bare line feeds of hand-written output into new lines, and leaves recorded bytes alone", () => {
    expect(shown(parse({ ...LEAST, pty_output: "a\nb" }))).toBe("a\r\nb");
    expect(shown(parse({ ...LEAST, pty_output: "10%\r20%\nb" }))).toBe("10%\r20%\r\nb");
    expect(shown(parse({ ...LEAST, pty_output: "a\r\nb\n" }))).toBe("a\r\nb\n");
  });

  it("reads a recording of its own, or beside itself", () => {
    const events = [
      { t_ms: 0, data_b64: "aGk=" },
      { t_ms: 3.5, resize: [100, 30] },
      { t_ms: 9, input_b64: "DQ==" },
    ];
    const lines = events.map((event) => JSON.stringify(event)).join("\n");
    expect(parse({ ...LEAST, pty_output: undefined, recording: events }).events).toEqual(events);
    const beside = { ...LEAST, pty_output: undefined, recording_file: "x.jsonl" };
    expect(parse(beside, { "x.jsonl": `${lines}\n\n` }).events).toEqual(events);
  });

  it("reads what the kernel knew of the terminal", () => {
    const tty = { echo: false, canonical: true, blocked_on_read: true, foreground: "bash" };
    expect(parse({ ...LEAST, tty }).tty).toEqual({
      echo: false,
      canonical: true,
      blockedOnRead: true,
      foreground: "bash",
    });
    expect(parse({ ...LEAST, tty: { echo: null, canonical: true } }).tty).toEqual({ canonical: true });
  });

  it("reads replies and their keys", () => {
    const replies = [{ value: "2", text: "no", expected_keys: ["\u001b[B", "\r"] }];
    expect(parse({ ...SEED, replies }).replies).toEqual([
      { value: "2", text: "no", expectedKeys: ["\u001b[B", "\r"] },
    ]);
  });
});

describe("a broken scenario file", () => {
  it.each([
    [{ ...LEAST, expected_typ: null }, 'unknown key "expected_typ"; did you mean "expected_type"?'],
    [{ ...LEAST, surprise: 1 }, "known keys: tool, scenario_id"],
    [{ ...LEAST, tool: undefined }, '"tool" is missing'],
    [{ ...LEAST, tool: "../x" }, '"tool": must be the name of an adapter'],
    [{ ...LEAST, expected_type: undefined }, 'has no field "expected_type"'],
    [{ ...LEAST, expected_type: "TYPE_YESNO" }, 'found "TYPE_YESNO"; did you mean "TYPE_YES_NO"?'],
    [{ ...SEED, expected_confidence_band: "sure" }, 'found "sure"'],
    [{ ...LEAST, cols: 0 }, '"cols": expected a whole number from 1 to 1000, found 0'],
    [{ ...LEAST, rows: "24" }, '"rows": expected a whole number from 1 to 1000, found "24"'],
    [{ ...LEAST, recording: [] }, "exactly one of pty_output, recording, recording_file"],
    [{ ...LEAST, pty_output: undefined }, "exactly one of pty_output, recording, recording_file"],
    [{ ...LEAST, tty: { echos: true } }, 'unknown key "tty.echos"; did you mean "echo"?'],
    [
      { ...SEED, expected_state: "busy" },
      '"expected_state": expected ("waiting" | "working" | "idle"), found "busy"',
    ],
    [{ ...SEED, replies: [{ value: 2 }] }, '"replies.0.value": expected string, found 2'],
    [[], '"tool" is missing'],
    [null, "expected Object, found null"],
  ])("is refused with its place, what was found and what was meant: %j", (value, message) => {
    expect(problem(value)).toContain("a/x.json:");
    expect(problem(value)).toContain(message);
  });

  it.each([
    [{ t_ms: 0 }, "exactly one of data_b64, resize, input_b64"],
    [{ t_ms: -1, data_b64: "" }, "expected a number from 0"],
    [{ t_ms: 0, data_b64: "a" }, "is not base64"],
    [{ t_ms: 0, resize: [80] }, 'recording.0.resize.1" is missing'],
    [{ t_ms: 0, resize: [80, 24, 1] }, "expected [columns, rows]"],
  ])("is refused for its recording: %j", (event, message) => {
    expect(problem({ ...LEAST, pty_output: undefined, recording: [event] })).toContain(message);
  });

  it("is refused when time goes back", () => {
    const recording = [5, 4].map((time) => ({ t_ms: time, data_b64: "" }));
    expect(problem({ ...LEAST, pty_output: undefined, recording })).toContain(
      '"recording": its times go back',
    );
  });

  it("is refused with the line of the recording file", () => {
    const read = () => '{"t_ms":0,"data_b64":""}\nnonsense';
    const source = JSON.stringify({ ...LEAST, pty_output: undefined, recording_file: "x.jsonl" });
    expect(() => parseScenario(source, "x.json", read)).toThrow("x.jsonl, line 2: is not JSON");
  });

  it("is refused with the place where its JSON breaks", () => {
    const source = '{\n  "tool": "claude"\n  "rows": 24\n}';
    expect(() => parseScenario(source, "x.json", String)).toThrow("is not JSON at line 3, column 3");
  });

  it("never quotes more of a value than tells it from others", () => {
    const screen = "secret screen text ".repeat(50);
    expect(problem({ ...LEAST, expected_state: screen }).length).toBeLessThan(300);
  });
});
