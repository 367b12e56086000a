/** The file that a new adapter begins with fits the format, and names every shape that a rule can have. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createAdapterFiles, renderProgram } from "../../../prompt-lab/check/new-file.js";
import { compileAdapter } from "../../../src/worker/adapter-format/compiled/compile-rules.js";
import { readProgram } from "../../../src/worker/adapter-format/program/read-program.js";

const SHAPES = [
  "list",
  "check_list",
  "radio_list",
  "buttons",
  "field",
  "confirm",
  "page",
  "yes_no",
  "press_enter",
];

it("fits the format and explains every shape", () => {
  const { adapter } = createAdapterFiles("fancy", "fancy-cli");
  expect(compileAdapter(adapter, "fancy.yaml")).toMatchObject({ name: "fancy" });
  for (const shape of [...SHAPES, "line", "line_menu", "secret"])
    expect(adapter).toMatch(new RegExp(`^#   ${shape} +\\S`, "m"));
});

it("names the page that lists all keys", () => {
  const { adapter } = createAdapterFiles("fancy", "fancy-cli");
  const page = /All keys: (\S+)/.exec(adapter)?.[1] ?? "";
  expect(readFileSync(page, "utf8")).toContain("# Adapter keys");
});

it("begins a program file that fits the format, also with the keys that it shows in comments", () => {
  const file = renderProgram("fancy", "fancy-cli");
  const whole = file.replace(/^( *)# (?=continuation\w*:|- \{)/gm, "$1");
  const { program, notes } = readProgram(whole, "fancy.yaml");
  expect(program.prompt).toMatchObject({ continuation: "^\\.\\.\\. $", continuation_escape: "\x03" });
  expect(program.tests.map(({ name }) => name)).toEqual([
    "output",
    "state stays",
    "an error",
    "after an error",
    "no output",
    "several lines",
    "an unfinished command",
  ]);
  expect(notes).toEqual([]);
  expect(readProgram(file, "fancy.yaml").program.tests).toHaveLength(5);
});
