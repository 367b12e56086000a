/** A dialog that was read as its own call says differs in nothing; one that was misread differs in just that. */
import { describe, expect, it } from "vitest";
import { createHookRequest } from "../../../../src/worker/integrations/hooks/hook-request.js";
import { compareReading } from "../../../../src/worker/prompts/compare-reading.js";
import type { ToolCallRequest } from "../../../../src/worker/prompts/tool-call-request.js";
import { makeCandidate, makeChoices } from "../answer/make.js";
import { call, replayDialog, LONG } from "./recorded-dialogs.js";

const question = (text: string, labels: readonly string[], multiSelect = false) => ({
  question: text,
  header: text.slice(0, 12),
  multiSelect,
  options: labels.map((label) => ({ label, description: "" })),
});
const DATABASE = question("Which database should we use?", ["PostgreSQL", "SQLite", "MongoDB"]);
const bash = call("Bash", { command: "rm -rf build", description: "Something" });
const ask = call("AskUserQuestion", { questions: [DATABASE] });

/** The call behind each recorded dialog. */
const CALLS: Readonly<Record<string, ToolCallRequest>> = {
  bash,
  "bash-multiline": call("Bash", { command: LONG, description: "Something" }),
  write: call("Write", { file_path: "/home/dev/repos/proj/src/new-file.ts", content: "…" }),
  edit: call("Edit", { file_path: "/home/dev/repos/proj/app.py", old_string: "a", new_string: "b" }),
  webfetch: call("WebFetch", { url: "https://example.com/docs", prompt: "Summarise it" }),
  mcp: call("mcp__ops__deploy", { target: "production", dry_run: false, note: "Continue? (y/n)" }),
  "ask-single": ask,
  plan: call("ExitPlanMode", { plan: "# Plan: retry helper" }),
};
const dialogs = Object.keys(CALLS).flatMap((name) =>
  ["120x40", "80x24", "45x20"].map((size) => [name, size]),
);

describe("a dialog beside the call that it draws", () => {
  it.each(dialogs)("%s at %s is read as the call says", async (name = "", size) => {
    const drawn = await replayDialog(`${name}-${size}-2.1.329`);
    const request = CALLS[name];
    expect(request && compareReading(drawn, createHookRequest(request).prompt)).toEqual([]);
  });

  it("of several questions is drawn page by page, which is no difference", async () => {
    const region = question("Which region should we deploy to?", ["Europe", "US"]);
    const two = call("AskUserQuestion", { questions: [DATABASE, region] });
    for (const page of ["ask-two", "ask-two-second", "ask-two-review"])
      expect(compareReading(await replayDialog(`${page}-80x24-2.1.329`), two), page).toEqual([]);
  });
});

const rows = (...labels: readonly string[]) => makeChoices(...labels.map((label) => ({ label })));
const YES_NO = makeChoices({ label: "Yes", intent: "allow_once" }, { label: "No", intent: "reject_once" });
const asks = { safetyClass: "question", question: DATABASE.question } as const;

describe("a dialog that is read otherwise", () => {
  it.each([
    ["by no rule", { promptType: "unknown" }, bash, ["unread"]],
    ["by its drawing alone", { rule: "any_list" }, bash, ["unread"]],
    ["as a question", { safetyClass: "question", choices: YES_NO }, bash, ["class"]],
    ["as a text field", { promptType: "free_text", choices: YES_NO }, bash, ["type"]],
    ["without its No", { choices: YES_NO.slice(0, 1) }, bash, ["choices"]],
    ["with a Yes that nobody knows", { choices: rows("Yes", "No") }, bash, ["choices"]],
    ["without one of its options", { ...asks, choices: rows("PostgreSQL", "MongoDB") }, ask, ["choices"]],
    ["in another order", { ...asks, choices: rows("SQLite", "PostgreSQL", "MongoDB") }, ask, ["choices"]],
    [
      "as one of several",
      { ...asks, constraints: { multi: true }, choices: rows(...labels()) },
      ask,
      ["type"],
    ],
    ["with a row of its own", { ...asks, choices: rows(...labels(), "Chat about this") }, ask, []],
  ] as const)("%s", (_, reading, request, differences) => {
    expect(compareReading(makeCandidate(reading), request)).toEqual(differences);
  });
});

function labels(): readonly string[] {
  return DATABASE.options.map(({ label }) => label);
}
