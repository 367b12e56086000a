/** parseYaml returns the checked value, and refuses an unknown key or a wrong value with line, column and the nearest known key. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { parseYaml } from "../../../src/config/yaml-file.js";
import { AtlasBridgeError } from "../../../src/model/errors.js";

const schema = v.strictObject({
  name: v.string(),
  loud: v.optional(v.boolean()),
  channels: v.optional(
    v.record(
      v.string(),
      v.union([v.strictObject({ deliver_to: v.array(v.number()) }), v.strictObject({ token: v.string() })]),
    ),
  ),
  list: v.optional(v.array(v.strictObject({ inner: v.string() }))),
});

function findProblem(text: string): string {
  try {
    parseYaml(text, "f.yaml", schema, "ATB_CONFIG_INVALID");
  } catch (error) {
    if (error instanceof AtlasBridgeError) return error.message;
    throw error;
  }
  return "no problem";
}

describe("parseYaml", () => {
  it.each(["[".repeat(20_000), `a: ${"{a: ".repeat(20_000)}`, "- ".repeat(20_000)])(
    "says that a file is nested too deeply",
    (text) => expect(findProblem(text)).toMatch(/^f\.yaml:1:\d+: nested too deeply to be read$/),
  );

  it("quotes only the beginning of an endless word", () => {
    expect(findProblem("x".repeat(5000)).length).toBeLessThan(300);
    expect(findProblem("!".repeat(5000)).length).toBeLessThan(300);
    expect(findProblem(`name: [${"x".repeat(5000)}]`).length).toBeLessThan(300);
  });

  it("returns the checked value", () => {
    expect(parseYaml("name: a\n", "f.yaml", schema, "ATB_CONFIG_INVALID")).toEqual({ name: "a" });
  });

  it("names line, column and the nearest known key of an unknown one", () => {
    expect(findProblem("name: a\nchanels: {}\n")).toBe(
      'f.yaml:2:1: unknown key "chanels"; did you mean "channels"?',
    );
    expect(findProblem("name: a\nlist:\n  - inner: x\n    iner: y\n")).toBe(
      'f.yaml:4:5: unknown key "list.0.iner"; did you mean "inner"?',
    );
  });

  it("lists the known keys when none is near", () => {
    expect(findProblem("name: a\nqqqqqq: 1\n")).toBe(
      'f.yaml:2:1: unknown key "qqqqqq"; known keys: name, loud, channels, list',
    );
  });

  it.each([
    ["yes", "true"],
    ["On", "true"],
    ["off", "false"],
    ["no", "false"],
  ])("says what %s is today, where it was a boolean before YAML 1.2", (word, meant) => {
    expect(findProblem(`name: a\nloud: ${word}\n`)).toBe(
      `f.yaml:2:7: "loud": expected boolean, found "${word}"; did you mean ${meant}?`,
    );
    expect(findProblem("name: a\nloud: maybe\n")).not.toContain("did you mean");
  });

  it("says what was expected and what was found", () => {
    expect(findProblem("name:\n  - 3\n")).toBe('f.yaml:2:3: "name": expected string, found Array');
  });

  it("says what is missing", () => {
    expect(findProblem("list: []\n")).toContain('"name" is missing');
  });

  it("names the place of a syntax error", () => {
    expect(findProblem("name: [a\n")).toMatch(/^f\.yaml:2:1: /);
  });

  it("refuses the same key twice", () => {
    expect(findProblem("name: a\nname: b\n")).toMatch(/^f\.yaml:2:1: .*unique/);
  });

  it("reads an empty file as an empty map", () => {
    expect(findProblem("")).toContain('"name" is missing');
  });
});
