/**
 * The fingerprint of a prompt changes with any character of its question, choices or content, and stays when boxes are ticked,
 * text is typed or the window is resized.
 */
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import type { CompiledAdapter } from "../../../../../src/worker/adapter-format/compiled/compiled.js";
import { isSame } from "../../../../../src/worker/detection/layout/fingerprint.js";
import { isSameAtAnotherSize } from "../../../../../src/worker/detection/layout/reflow.js";
import { bashDialog, detectOn, shippedAdapter, type Dialog } from "../screens.js";

const claude = shippedAdapter("claude");

async function drawn(dialog: Dialog, size: { cols?: number; rows?: number } = {}): Promise<Candidate> {
  const { rows, cursor } = bashDialog(dialog);
  return found(rows, cursor, size);
}

async function found(
  rows: readonly string[],
  cursor: readonly [number, number],
  size: { cols?: number; rows?: number } = {},
  adapter: CompiledAdapter = claude,
): Promise<Candidate> {
  const { candidate } = await detectOn(adapter, rows, {
    alternate: true,
    cursorHidden: true,
    cursor,
    ...size,
  });
  if (!candidate) throw new Error("nothing was found");
  return candidate;
}

async function ticked(marks: readonly string[]): Promise<Candidate> {
  const rows = [
    "─".repeat(80),
    marks.some((mark) => mark === "✔") ? "←  ☒ Features  ✔ Submit  →" : "←  ☐ Features  ✔ Submit  →",
    "",
    "Which features?",
    "",
    ...marks.flatMap((mark, i) => [
      `${i === 0 ? "❯" : " "} ${i + 1}. [${mark}] Choice ${i}`,
      "         about it",
    ]),
    "     Submit",
    "─".repeat(80),
    `  ${marks.length + 1}. Chat about this`,
    "",
    "Enter to select · ↑/↓ to navigate · Esc to cancel",
  ];
  return found(rows, [0, 5]);
}

describe("the fingerprint of a prompt stays", () => {
  const plain: Dialog = {};
  it.each([
    ["the highlight moves", { highlighted: 3 }],
    ["the footer changes", { below: ["", " Esc to cancel"] }],
    [
      "a counter of hidden lines comes and goes",
      { below: [" ↑ 3 more lines", " Esc to cancel · Tab to amend"] },
    ],
    ["the dialog stands elsewhere", { above: ["more", "text", "above", "it", ""] }],
    ["a dot blinks above it", { above: ["  Removing build folder", "  ⎿  $ rm -rf build", ""] }],
  ])("when %s", async (_name, dialog: Dialog) => {
    expect((await drawn(dialog)).fingerprint).toBe((await drawn(plain)).fingerprint);
  });

  it("when boxes are ticked", async () => {
    const [none, some] = [await ticked([" ", " "]), await ticked(["✔", " "])];
    expect(some.choices.map(({ checked }) => checked)).toEqual([true, false]);
    expect(some.fingerprint).toBe(none.fingerprint);
  });

  it("when text is typed into a row that takes it", async () => {
    const question = (label: string): string[] => [
      "─".repeat(80),
      " ☐ Database",
      "",
      "Which database?",
      "",
      "  1. PostgreSQL",
      `❯ 2. ${label}`,
      "─".repeat(80),
      "  3. Chat about this",
      "",
      "Enter to select · ↑/↓ to navigate · Esc to cancel",
    ];
    const before = await found(question("Type something."), [0, 6]);
    const after = await found(question("MariaDB"), [12, 6]);
    expect(after.fingerprint).toBe(before.fingerprint);
  });
});

describe("the fingerprint of a prompt changes", () => {
  it.each([
    ["another command is asked for", { command: "rm -rf /" }],
    ["the last character of the command differs", { command: "rm -rf builds" }],
    ["a choice differs", { choices: ["Yes", "Yes, and don't ask again for: ls *", "No"] }],
    ["a choice is missing", { choices: ["Yes", "No"] }],
  ])("when %s", async (_name, dialog: Dialog) => {
    expect((await drawn(dialog)).fingerprint).not.toBe((await drawn({})).fingerprint);
  });
});

/** A dialog whose command goes on for forty rows. */
function long(last: string): Promise<Candidate> {
  const { rows, cursor } = bashDialog();
  const command = Array.from({ length: 40 }, (_, i) => ` echo ${i} ${"0123456789 ".repeat(9)}`);
  const all = rows.flatMap((row) => (row === " rm -rf build" ? [...command, ` ${last}`] : [row]));
  return found(all, [cursor[0], cursor[1] + command.length], { cols: 120, rows: 60 });
}

describe("every character that is drawn counts", () => {
  it.each([
    ["a blank within a word", { command: "rm -rf /srv/app/old" }, { command: "rm -rf /srv/app /old" }],
    ["a second blank", { command: "echo a b" }, { command: "echo a  b" }],
    ["a line drawn as a letter", { command: "cat a b" }, { command: "cat a│b" }],
    ["a line between blanks", { command: "cat a   b" }, { command: "cat a │ b" }],
    ["a tick in the content", { command: "echo done ✔ now" }, { command: "echo done ✓ now" }],
    ["a blank at the beginning", { command: "x=1" }, { command: " x=1" }],
    ["a blank in a choice", { choices: ["Yes", "No"] }, { choices: ["Yes", "N o"] }],
  ])("%s", async (_name, before: Dialog, after: Dialog) => {
    const [a, b] = [await drawn(before), await drawn(after)];
    expect(b.fingerprint).not.toBe(a.fingerprint);
    expect(isSame(a, b)).toBe(false);
  });

  it("the last one of many thousands", async () => {
    const whole = await long("npm test");
    expect(whole.content.text.length).toBeGreaterThan(4000);
    expect(isSame(whole, await long("npm test"))).toBe(true);
    expect(isSame(whole, await long("npm tesT"))).toBe(false);
  });

  it("what is said of the highlighted choice, while it stays that one", async () => {
    const choices = (about: string): Dialog => ({ choices: ["Yes", `No  │ ${about}`] });
    const [a, b] = [await drawn(choices("and stop")), await drawn(choices("and go on"))];
    expect(isSame(a, b)).toBe(false);
  });
});

describe("the fingerprint across a resize", () => {
  it("ignores how labels are wrapped", async () => {
    const choices = ["Yes", "Yes, and don't ask again for: remove-folder", "No"];
    const wide = await drawn({ choices }, { cols: 100 });
    const rows = [
      "─".repeat(45),
      " Bash command",
      " Remove build folder",
      "╌".repeat(45),
      " rm -rf build",
      "╌".repeat(45),
      " Do you want to proceed?",
      " ❯ 1. Yes",
      "   2. Yes, and don't ask again for:",
      "      remove-folder",
      "   3. No",
      "",
      " Esc to cancel · Tab to amend",
    ];
    expect(isSameAtAnotherSize(wide, await found(rows, [1, 7], { cols: 45, rows: 20 }))).toBe(true);
  });

  it("lets what stands above the first line wrap only where the adapter file calls it a title", async () => {
    const line = "╌".repeat(45);
    const below = [line, " rm -rf build", line, " Do you want to proceed?", " ❯ 1. Yes", "   2. No", ""];
    const draw = async (
      adapter: CompiledAdapter,
      head: readonly string[],
      cols: number,
    ): Promise<Candidate> => {
      const rows = ["─".repeat(45), ...head, ...below, " Esc to cancel · Tab to amend"];
      return found(rows, [1, head.length + 5], { cols, rows: 20 }, adapter);
    };
    const words = " curl example.com/setup.sh --output setup.sh";
    const isSameWrapped = async (adapter: CompiledAdapter): Promise<boolean> =>
      isSameAtAnotherSize(
        await draw(adapter, [words], 60),
        await draw(adapter, [words.slice(0, 35), ` ${words.slice(36)}`], 45),
      );
    const untitled = claude.rules.map((rule) => ({ ...rule, hasTitleAboveLine: false }));
    expect(await isSameWrapped(claude)).toBe(true);
    expect(await isSameWrapped({ ...claude, rules: untitled })).toBe(false);
  });

  it.each([
    ["a label that is cut with …", { choices: ["Yes", "Yes, and don't ask again f…", "No"] }, true],
    ["another label", { choices: ["Yes", "Yes, and always allow it", "No"] }, false],
    ["another number of rows", { choices: ["Yes", "No"] }, false],
    ["another command", { command: "rm -rf /" }, false],
    ["a part of the content is hidden", { below: [" ↑ 1 more line", " Esc to cancel"] }, false],
  ])("%s: %s", async (_name, dialog: Dialog, same: boolean) => {
    const before = await drawn(dialog.command === "rm" ? { command: "rm" } : {});
    expect(isSameAtAnotherSize(before, await drawn(dialog))).toBe(same);
  });

  it.each([
    ["rm -rf /srv/app/old", "rm -rf\n/srv/app/old"],
    ["rm -rf /srv/app/old", "rm -rf /srv/app /old"],
    ["rm -rf /srv/app /old", "rm -rf /srv/app/old"],
    ["echo a b", "echo a  b"],
    ["if a:\n  b", "if a:\nb"],
    ["echo a\nb", "echo a\n\nb"],
    ["cat a│b", "cat ab"],
    ["one\ntwo", "one\ntwo\nthree"],
    ["one\ntwo", "two"],
  ])("%j is another permission than %j", async (before, after) => {
    const asked = await drawn({});
    const show = (text: string): Candidate => ({ ...asked, content: { text, cut: null } });
    expect(isSameAtAnotherSize(show(before), show(before))).toBe(true);
    expect(isSameAtAnotherSize(show(before), show(after))).toBe(false);
    expect(isSameAtAnotherSize(show(after), show(before))).toBe(false);
  });

  it("sees a blank beside a bar that is read as a part of the frame", async () => {
    const asked = await drawn({});
    const show = (drawn: string): Candidate => ({ ...asked, drawn });
    expect(isSameAtAnotherSize(show("│ ||  │"), show("│ ||    │"))).toBe(true);
    expect(isSameAtAnotherSize(show("│ ||  │"), show("│ | |  │"))).toBe(false);
  });

  it("takes any blanks and row ends of a question for the same", async () => {
    const asked = { ...(await drawn({})), safetyClass: "question" as const };
    const show = (text: string): Candidate => ({ ...asked, content: { text, cut: null } });
    expect(isSameAtAnotherSize(show("which of the two"), show("which\nof  the two"))).toBe(true);
  });

  it("allows rows that the tool says it hides to be missing, and demands them otherwise", async () => {
    const asked = { ...(await drawn({})), safetyClass: "question" as const };
    const show = (text: string, cut: object | null): Candidate => ({ ...asked, content: { text, cut } });
    const whole = show("one\ntwo", null);
    expect(isSameAtAnotherSize(whole, show("two", {}))).toBe(true);
    expect(isSameAtAnotherSize(whole, show("three", {}))).toBe(false);
    expect(isSameAtAnotherSize(whole, show("", {}))).toBe(false);
    expect(isSameAtAnotherSize(show("two", {}), whole)).toBe(true);
  });

  it("takes a home directory written as ~ as the same label", async () => {
    const label = (path: string): Dialog => ({
      choices: ["Yes", `Yes, and don't ask again in ${path}`, "No"],
    });
    const [long, short] = [await drawn(label("/home/dev/proj")), await drawn(label("~/proj"))];
    expect(isSameAtAnotherSize(long, short)).toBe(true);
    expect(isSameAtAnotherSize(long, await drawn(label("~/other")))).toBe(false);
  });
});
