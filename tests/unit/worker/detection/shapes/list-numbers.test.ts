/** The numbers of a list's rows are read with a full stop or a bracket behind them, and are no part of the labels. */
import { expect, it } from "vitest";
import { compileAdapter } from "../../../../../src/worker/adapter-format/compiled/compile-rules.js";
import { detectOn } from "../screens.js";

const adapter = compileAdapter(
  `
schema: 1
name: numbers
version: 1.0.0
description: A tool that numbers its rows
family: agent
process: {}
rules:
  - name: permission
    shape: list
    class: permission
    confidence: 0.9
    question: "^Run it[?]"
    list: { glyphs: ["❯"], live: [hidden], numbers: required }
    choices:
      - { label: "^Yes$", intent: allow_once }
      - { label: "^No$", intent: reject_once }
`,
  "numbers.yaml",
);

it.each([".", ")"])("of a list with 1%s", async (sign) => {
  const rows = ["Run it?", `❯ 1${sign} Yes`, `  2${sign} No`];
  const { candidate } = await detectOn(adapter, rows, { alternate: true, cursorHidden: true, cols: 40 });
  expect(candidate).toMatchObject({
    highlighted: 1,
    choices: [
      { label: "Yes", intent: "allow_once" },
      { label: "No", intent: "reject_once" },
    ],
  });
});
