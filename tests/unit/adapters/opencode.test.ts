/** A dialog of opencode with a part that scrolls, or that is not complete yet, is waited for, or is raised as cut. */
import { describe, expect, it } from "vitest";
import { addAdapterCode } from "../../../src/plugins/adapters/adapters.js";
import { compileAdapter } from "../../../src/worker/adapter-format/compiled/compile-rules.js";
import type { CompiledAdapter } from "../../../src/worker/adapter-format/compiled/compiled.js";
import { detectOn } from "../worker/detection/screens.js";

const GROUND = "\u001b[44m";
const PLAIN = "\u001b[0m";

function compileWithRule(ruleName: string, rule: string): CompiledAdapter {
  const text = `schema: 1
name: opencode
version: 1.0.0
description: It draws, measures, and draws again
family: agent
process: {}
rules:
  - { name: ${ruleName}, class: permission, confidence: 0.97, ${rule} }
`;
  return addAdapterCode(compileAdapter(text, "opencode.yaml"));
}

describe("a dialog with a part that scrolls", () => {
  const barred = compileWithRule(
    "always",
    'shape: buttons, question: "(Allow it[?])", buttons: ground, frame: bar, cut: ["█$"], ' +
      'choices: [{ label: "^Yes$", intent: allow_once }, { label: "^No$", intent: reject_once }]',
  );
  const dialog = (content: readonly string[]): string[] => [
    "  ┃  Allow it?",
    "  ┃",
    ...content.map((text) => `  ┃  ${text}`),
    `  ┃  ${GROUND} Yes ${PLAIN}  No `,
  ];

  it.each([
    ["is whole once its rows fill the room", ["one  █", "two", "three", "", ""], 100],
    ["is half drawn while room is left below them", ["one  █", "     █", "", "", ""], 1000],
    ["need not be waited for where nothing scrolls", ["one", "", "", "", ""], 100],
  ])("%s", async (_how, content, stableMs) => {
    const found = await detectOn(barred, dialog(content), { alternate: true, cursorHidden: true, cols: 40 });
    expect(found.candidate?.question).toBe("Allow it?");
    expect(found.stableMs).toBe(stableMs);
  });
});

describe("a dialog whose tool may not have the details of its call yet", () => {
  const told = compileWithRule(
    "permission",
    'shape: buttons, question: "(Permission required)", buttons: ground, frame: bar, ' +
      'choices: [{ label: "^Yes$", intent: allow_once }, { label: "^No$", intent: reject_once }]',
  );
  const dialog = (content: readonly string[]): string[] => [
    "  ┃  △ Permission required",
    "  ┃    % Fetch",
    ...content.map((text) => `  ┃  ${text}`),
    "  ┃",
    `  ┃  ${GROUND} Yes ${PLAIN}  No `,
  ];
  const SIZE = { alternate: true, cursorHidden: true, cols: 40 } as const;

  it("is waited for, and counts as cut if it does not change", async () => {
    const found = await detectOn(told, dialog([]), SIZE);
    expect(found).toMatchObject({ stableMs: 2000, candidate: { content: { cut: {} } } });
  });

  it("is raised once it shows the details", async () => {
    const found = await detectOn(told, dialog(["", "URL: https://a.example/"]), SIZE);
    expect(found).toMatchObject({ stableMs: 100, candidate: { content: { cut: null } } });
  });

  it.each([
    [4, null],
    [5, {}],
    [7, {}],
  ])("counts as cut where it shows %i rows of the call: more may be kept back", async (count, cut) => {
    const rows = Array.from({ length: count }, (_, row) => (row % 2 === 1 ? `line ${row}` : `$ line ${row}`));
    const found = await detectOn(told, dialog(["", ...rows]), SIZE);
    expect(found).toMatchObject({ stableMs: 100, candidate: { content: { cut } } });
  });
});

describe("the dialog behind “Allow always”", () => {
  it("may bring the dialog below it back for a moment", async () => {
    const always = compileWithRule(
      "always",
      'shape: buttons, question: "(Always allow)", buttons: ground, frame: bar, ' +
        'choices: [{ label: "^Confirm$", intent: allow_always }, { label: "^Cancel$", intent: reject_once }]',
    );
    const rows = [
      "  ┃  △ Always allow",
      "  ┃",
      "  ┃  git *",
      "  ┃",
      `  ┃  ${GROUND} Confirm ${PLAIN}  Cancel `,
    ];
    const { candidate } = await detectOn(always, rows, { alternate: true, cursorHidden: true, cols: 40 });
    expect(candidate?.reveals).toEqual({ rule: "permission", withinMs: 1000 });
  });
});
