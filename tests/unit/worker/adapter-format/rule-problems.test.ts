/** A rule of a line shape says only how a line can be answered: what acts on rows and highlights is refused there. */
import { expect, it } from "vitest";
import { compileAdapter } from "../../../../src/worker/adapter-format/compiled/compile-rules.js";
import { explain } from "../../../../prompt-lab/replay/explain.js";
import { drawView } from "../detection/screens.js";

function compile(rule: string, defaults = "") {
  const text = `
schema: 1
name: tiny
version: 1.0.0
description: Lines
family: agent
process: {}
defaults: { class: question, confidence: HIGH${defaults} }
rules:
  - { name: menu, ${rule} }
`;
  return compileAdapter(text, "tiny.yaml");
}

it.each(["yes_no", "line_menu"])("refuses the answers of a list in a rule of the shape %s", (shape) => {
  for (const answer of ["digit", "arrows"])
    expect(() => compile(`shape: ${shape}, answer: ${answer}`)).toThrow(
      `"answer: ${answer}" means nothing for the shape ${shape}; write "key" if a letter or digit acts at once`,
    );
  for (const answer of ["line", "key"])
    expect(() => compile(`shape: ${shape}, answer: ${answer}`)).not.toThrow();
});

it.each(["press_enter", "line", "secret"])("refuses any answer in a rule of the shape %s", (shape) => {
  expect(() => compile(`shape: ${shape}, answer: key`)).toThrow(
    `"answer" means nothing for the shape ${shape}`,
  );
});

it("takes defaults that are meant for other shapes", () => {
  expect(() => compile("shape: line_menu", ", answer: arrows")).not.toThrow();
});

it.each([
  ["key", { by: "key", key: "2" }],
  ["line", { by: "typed", text: "2" }],
])("answers a drawn menu of numbers by %s", async (answer, taken) => {
  const rule = `shape: line_menu, header: "^\\\\? (\\\\S.*)$", answer: ${answer}`.replace(".*", ".{0,80}");
  const rows = ["? Which one?", "  1) Keep mine", "  2) Take theirs", "  Answer:"];
  const [report] = explain(compile(rule), await drawView(rows, { cursor: [10, 3] }), {});
  expect(report?.why).toBeNull();
  expect(report?.candidate?.choices[1]?.answer).toEqual(taken);
});
