/** The explanation of a screen names the rule that fits, and for each other rule the reason why it does not. */
import { describe, expect, it } from "vitest";
import type { Signals } from "../../../src/sdk/view.js";
import { compileAdapter } from "../../../src/worker/adapter-format/compiled/compile-rules.js";
import { explain, type RuleReport } from "../../../prompt-lab/replay/explain.js";
import { bashDialog, shippedAdapter, drawView, type Drawing } from "../worker/detection/screens.js";

const LIST = compileAdapter(
  `
schema: 1
name: tiny
version: 1.0.0
description: Lists
family: agent
process: {}
defaults: { shape: list, class: permission, confidence: HIGH, list: { glyphs: ["❯"] } }
rules:
  - { name: proceed, top: "^─{10}", footer: ["^Esc "], requires: ["^Esc "], forbids: ["^No way"], question: "^Proceed\\\\?" }
  - { name: boxes, shape: check_list, question: "^Which\\\\?" }
`,
  "tiny.yaml",
);

/** The cursor on the marked row, unless the drawing says otherwise. */
async function why(rows: readonly string[], rule = "proceed", drawing: Drawing = {}) {
  const marked = rows.findIndex((row) => row.startsWith("❯"));
  const view = await drawView(rows, { cursor: [0, Math.max(0, marked)], ...drawing });
  return explain(LIST, view, {}).find((report) => report.rule === rule)?.why;
}

const RULE = "─".repeat(20);
const ROWS = ["❯ 1. Yes", "  2. No"];

describe("the reason why rows are no list", () => {
  it("is empty when it is a list", async () => {
    const view = await drawView([RULE, "Proceed?", ...ROWS, "", "Esc to cancel"], { cursor: [0, 2] });
    const [proceed] = explain(LIST, view, {});
    expect(proceed).toMatchObject({ rule: "proceed", why: null, candidate: { question: "Proceed?" } });
  });

  it("is the missing mark, or a mark where no input is taken", async () => {
    expect(await why(["Proceed?"])).toEqual({ condition: "list", row: null, text: "no row begins with ❯" });
    const elsewhere = await why([RULE, "Proceed?", ...ROWS], "proceed", { cursor: [3, 9] });
    expect(elsewhere?.text).toBe(
      "❯ begins row 3, but no list is live there (cursor): the cursor is in row 10, column 4",
    );
  });

  it("is a mark where input is taken, among rows that are no list", async () => {
    const alone = await why([RULE, "Proceed?", "❯ 1. Yes"]);
    expect(alone?.text).toBe(
      "❯ begins row 3 and the cursor is as it should be, but the rows there are no list (at least 2 rows)",
    );
  });

  it("is the row below that is no footer", async () => {
    expect(await why([RULE, "Proceed?", ...ROWS, "", "And so on", "Esc to cancel"])).toMatchObject({
      condition: "footer",
      row: 5,
    });
  });

  it("is the row that is required and missing", async () => {
    expect(await why([RULE, "Proceed?", ...ROWS])).toMatchObject({
      condition: "requires",
      text: "no row matches the required ^Esc ",
    });
  });

  it("is the row that is forbidden and present", async () => {
    const rows = [RULE, "No way", "Proceed?", ...ROWS, "", "Esc to cancel"];
    expect(await why(rows)).toMatchObject({ condition: "forbids", row: 1 });
  });

  it("is the question", async () => {
    const rows = [RULE, "Go on?", ...ROWS, "", "Esc to cancel"];
    expect(await why(rows)).toMatchObject({
      condition: "question",
      text: "no paragraph matches the question ^Proceed\\?",
    });
  });

  it("is the kind of its rows", async () => {
    expect(await why(["Which?", ...ROWS], "boxes")).toMatchObject({ condition: "shape", row: 1 });
  });
});

describe("the reason why a line is no question", () => {
  async function line(text: string, drawing: Drawing & { signals?: Signals } = {}): Promise<RuleReport[]> {
    const view = await drawView(text, drawing);
    return [...explain(shippedAdapter("generic"), view, drawing.signals ?? {})];
  }
  const readReason = (reports: readonly RuleReport[], rule: string) =>
    reports.find((report) => report.rule === rule)?.why;

  it("is the place of the cursor", async () => {
    const reports = await line("Continue? [y/N] ", { cursor: [0, 5] });
    expect(readReason(reports, "yes_no")?.text).toBe("the cursor is not right behind the last line (row 1)");
  });

  it("is the kernel's word, the alternate screen or the emptiness", async () => {
    const asks = "Continue? [y/N] ";
    const busy = await line(asks, { signals: { blockedOnRead: false } });
    expect(readReason(busy, "yes_no")?.text).toBe("the foreground program does not read the terminal");
    const alternate = await line(asks, { alternate: true });
    expect(readReason(alternate, "yes_no")?.text).toMatch(/alternate screen/);
    expect(readReason(await line(""), "yes_no")?.text).toBe("the screen is empty");
  });

  it("is a pattern, a forbidden line, or a spelling", async () => {
    const reports = await line("Continue? ");
    expect(readReason(reports, "yes_no")).toEqual({
      condition: "spelling",
      row: 0,
      text: "the line is not spelled like a yes_no",
    });
    expect(readReason(reports, "coreutils")).toMatchObject({ condition: "question", row: 0 });
    expect(readReason(reports, "coreutils")?.text).toMatch(
      /^the line of the cursor does not match the question /,
    );
    expect(readReason(await line("dev@host:~$ "), "line")).toMatchObject({ condition: "forbids", row: 0 });
  });

  it("is the program in the foreground", async () => {
    const reports = await line("Continue? [y/N] ", { signals: { foreground: "less" } });
    expect(readReason(reports, "yes_no")?.condition).toBe("silenced");
  });
});

describe("an explanation", () => {
  it("names the one rule of a shipped adapter that fits", async () => {
    const { rows, cursor } = bashDialog();
    const view = await drawView(rows, { alternate: true, cursorHidden: true, cursor });
    const fitting = explain(shippedAdapter("claude"), view, {}).filter((report) => report.why === null);
    expect(fitting.map((report) => report.rule)).toEqual(["permission"]);
  });
});
