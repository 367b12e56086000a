/** Labels behind the keys that take them are choices; such a row in a text, or behind a visible cursor, is none. */
import { describe, expect, it } from "vitest";
import { compileAdapter } from "../../../../../src/worker/adapter-format/compiled/compile-rules.js";
import { toPage } from "../../../../../src/worker/detection/layout/layout.js";
import { matchAnyButtons } from "../../../../../src/worker/detection/matchers/buttons.js";
import { CONFIDENCE_FLOOR } from "../../../../../src/model/prompt.js";
import { detectOn, drawView } from "../screens.js";

const adapter = compileAdapter(
  `schema: 1
name: lettered
version: 1.0.0
description: Asks with letters
family: agent
process: {}
rules:
  - name: permission
    shape: buttons
    class: permission
    confidence: HIGH
    start: "^Tool wants this$"
    question: "^(Approve\\\\?)"
    buttons: letters
    footer: ["^model "]
    choices:
      - { label: "^Approve$", intent: allow_once }
      - { label: "^Deny$", intent: reject_once }
`,
  "lettered.yaml",
);

const HIDDEN = "\u001b[?25l";
const dialog = (row: string): string => `Tool wants this\n\nApprove?\n\nrm -rf build\n${row}\n\nmodel x`;
const read = async (row: string, cursor = HIDDEN) =>
  (await detectOn(adapter, `${dialog(row)}${cursor}`)).candidate;

describe("buttons behind their letters", () => {
  it("are choices that their keys take at once, none of them highlighted", async () => {
    const candidate = await read(" [y] Approve   [n] Deny");
    expect(candidate).toMatchObject({
      promptType: "multiple_choice",
      question: "Approve?",
      highlighted: null,
    });
    expect(candidate?.content.text).toContain("rm -rf build");
    expect(candidate?.choices).toMatchObject([
      { label: "Approve", intent: "allow_once", answer: { by: "key", key: "y" } },
      { label: "Deny", intent: "reject_once", answer: { by: "key", key: "n" } },
    ]);
  });

  it.each([
    ["a single one", "[y] Approve"],
    ["the same letter twice", "[y] Approve   [Y] Deny"],
    ["words beside them", "press [y] Approve   [n] Deny"],
    ["tick boxes", "[x] Approve   [ ] Deny"],
    ["no blanks between them", "[y] Approve [n] Deny"],
  ])("are not seen in %s", async (_, row) => {
    expect(await read(row)).toBeNull();
  });

  it("are not seen while the cursor is shown", async () => {
    expect(await read(" [y] Approve   [n] Deny", "")).toBeNull();
  });
});

describe("a row of buttons that no rule describes", () => {
  const lit = (label: string): string => `\u001b[44m${label}\u001b[49m`;
  const readRow = async (row: string, drawing = {}) =>
    matchAnyButtons(
      toPage(
        await drawView([" Permission required", "", " $ rm -rf build", "", row], {
          alternate: true,
          cursorHidden: true,
          ...drawing,
        }),
      ),
    );

  it("is read with its labels and what they mean, never as whole content, and by arrows", async () => {
    const found = await readRow(`  ${lit("Allow once")}   Allow always   Reject    ctrl+f fullscreen`);
    expect(found).toMatchObject({ promptType: "multiple_choice", highlighted: 1, content: { cut: {} } });
    expect(found?.score).toBe(CONFIDENCE_FLOOR.low);
    expect(found?.content.text).toContain("rm -rf build");
    expect(found?.choices).toMatchObject([
      { label: "Allow once", intent: "allow_once", answer: { by: "arrows" } },
      { label: "Allow always", intent: "allow_always" },
      { label: "Reject", intent: "reject_once" },
    ]);
    expect((await readRow(`  Confirm   ${lit("Cancel")}`))?.highlighted).toBe(2);
  });

  it.each([
    ["tabs", `  ${lit("General")}   Models   Servers`],
    ["buttons that only go on", `  ${lit("Continue")}   Accept`],
    ["no button on a background of its own", "  Allow   Reject"],
    ["two of them", `  ${lit("Allow")}   ${lit("Reject")}`],
    ["words in a text", `  Please ${lit("Allow")} or Reject`],
  ])("is not seen in %s", async (_, row) => {
    expect(await readRow(row)).toBeNull();
  });

  it("is not seen while the cursor is shown", async () => {
    expect(await readRow(`  ${lit("Allow")}   Reject`, { cursorHidden: false })).toBeNull();
  });
});
