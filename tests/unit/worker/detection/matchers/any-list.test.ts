/**
 * A marked list that no rule of an agent's adapter describes is read with its rows wherever it stands, and text that resembles a
 * list is not.
 */
import { describe, expect, it } from "vitest";
import { ANY_LIST } from "../../../../../src/worker/detection/matchers/any-list-rule.js";
import { matchAnyList } from "../../../../../src/worker/detection/matchers/any-list.js";
import { toPage } from "../../../../../src/worker/detection/layout/layout.js";
import { drawView } from "../screens.js";

const HIDDEN = { alternate: true, cursorHidden: true };
const QUESTION = ["─".repeat(40), " Deploy to the cluster?", ""];

async function read(rows: readonly string[], drawing: Parameters<typeof drawView>[1] = HIDDEN) {
  return matchAnyList(toPage(await drawView(rows, drawing)));
}

const labels = async (rows: readonly string[]): Promise<readonly string[] | undefined> =>
  (await read(rows))?.choices.map(({ label }) => label);

describe("a list that no rule describes", () => {
  it.each([
    ["numbered", [" ➜ 1. Yes", "   2. No"]],
    ["without numbers", [" ❯ Yes", "   No"]],
    ["with a sign before each row", [" ◉ Yes", " ○ No"]],
    [
      "in a box",
      ["╭──────────────╮", "│ Deploy?      │", "│ › 1. Yes     │", "│   2. No      │", "╰──────────────╯"],
    ],
    ["above a panel", [" ❯ 1. Yes", "   2. No", "", "╭─ Tasks ─╮", "│ build   │", "╰─────────╯"]],
    ["above help that nobody knows", [" ❯ 1. Yes", "   2. No", "", " whatever it says, on", " two rows"]],
  ])("is read with its rows: %s", async (_, rows) => {
    expect(await labels([...QUESTION, ...rows])).toEqual(["Yes", "No"]);
  });

  it("is read with its last row marked where the screen ends, whatever row drawing ended in", async () => {
    const rows = [...QUESTION, "   1. Yes", " ❯ 2. No"];
    expect(await labels(rows)).toEqual(["Yes", "No"]);
    expect(await read(rows, { alternate: true })).toBeNull();
  });

  it("joins the end of a label to it where its row was too full, and no other row", async () => {
    const rows = ["   Use this and all other servers that are", "   in this project", " ❯ Go on without it"];
    const narrow = { ...HIDDEN, cols: 45 };
    const read45 = (await read([...QUESTION, ...rows], narrow))?.choices.map(({ label }) => label);
    expect(read45 ?? []).not.toContain("in this project");
    const short = ["   Use this server", "   in this project", " ❯ Go on without it"];
    expect((await read([...QUESTION, ...short], narrow))?.choices.map(({ label }) => label)).toEqual([
      "Use this server",
      "in this project",
      "Go on without it",
    ]);
  });

  it("keeps what explains a row, below it or beside it", async () => {
    const below = await read([...QUESTION, " ❯ 1. Yes", "      at once", "   2. No"]);
    const beside = await read([...QUESTION, " ❯ 1. Yes    at once", "   2. No     never"]);
    expect(below?.choices).toMatchObject([{ label: "Yes", detail: "at once" }, { label: "No" }]);
    expect(beside?.choices).toMatchObject([
      { label: "Yes", detail: "at once" },
      { label: "No", detail: "never" },
    ]);
  });

  it("is answered by arrows alone, with the lowest score and content that never counts as whole", async () => {
    const found = await read([...QUESTION, " ❯ 1. Yes", "   2. No, stop", "   3. Yes, always"]);
    expect(found).toMatchObject({
      rule: ANY_LIST,
      score: 0.6,
      safetyClass: "permission",
      content: { cut: {} },
    });
    expect(found?.choices.map(({ answer, intent }) => [answer.by, intent])).toEqual([
      ["arrows", "allow_once"],
      ["arrows", "reject_once"],
      ["arrows", "allow_always"],
    ]);
  });

  it.each([
    ["a text with bullets", ["● I did this.", "● I did that."]],
    ["a paragraph behind a bullet", ["● I removed the folder and", "  wrote the file."]],
    ["quoted lines", ["> the first", "> the second"]],
    ["rows with a sign that may be a tick", [" ❯ • Auth", "   • Billing"]],
    ["a list with rows above that are not on the screen", [" ↑ 3 more", " ❯ 4. Yes", "   5. No"]],
    ["a list without numbers that goes on above", [" ↑ 3 more", " ❯ Yes", "   No"]],
    ["a single row", [" ❯ Yes", "", " press enter"]],
    [
      "rows that explain one another",
      [" ❯ Provider A", "   the official one", "", "   Provider B", "   another one"],
    ],
  ])("is not seen in similar text: %s", async (_, rows) => {
    expect(await read([...QUESTION, ...rows])).toBeNull();
  });

  it("ends above keys that are named in a row right below it", async () => {
    const rows = [" ❯ 1. Yes", "   2. No", " option 1/2 | enter to submit | esc to cancel"];
    expect(await labels([...QUESTION, ...rows])).toEqual(["Yes", "No"]);
  });

  it("is read from its first number on where it goes on below the screen", async () => {
    const rows = [" ❯ 1. Yes", "   2. No", " ↓ 3 more"];
    expect(await labels([...QUESTION, ...rows])).toEqual(["Yes", "No"]);
    expect((await read([...QUESTION, ...rows]))?.torn).toBeDefined();
  });

  it.each([
    ["the marked row", [" ❯ ✔ Auto", "     Dark", "     Light"], 1],
    ["another row", ["   ✔ Auto", " ❯   Dark", "     Light"], 2],
  ])("may have a tick behind the mark of what counts now: %s", async (_, rows, highlighted) => {
    const found = await read([...QUESTION, ...rows]);
    expect(found?.choices.map(({ label }) => label)).toEqual(["Auto", "Dark", "Light"]);
    expect(found?.highlighted).toBe(highlighted);
  });

  it("is not read where several rows have such a tick, or a row is done", async () => {
    expect(await labels([...QUESTION, " ❯ ✔ Auto", "   ✔ Dark", "     Light"])).toBeUndefined();
    expect(
      await labels([" What next", "", "  ✔ Read the file", "  → Mend it", "    Run the tests"]),
    ).toBeUndefined();
  });

  it("is no quotation right below a question where its short rows all begin as names do", async () => {
    expect(await labels([...QUESTION, "> Postgres", "  SQLite"])).toEqual(["Postgres", "SQLite"]);
    expect(await labels([...QUESTION, "> Postgres is what", "  we should use"])).toBeUndefined();
    expect(await labels([" Somebody wrote", "", "> Postgres", "  SQLite"])).toBeUndefined();
  });

  it("may have long rows where one of them is an answer and keys are named below", async () => {
    const rows = [" ❯ No, disable the imports of every file", "   Yes, allow them"];
    const narrow = { ...HIDDEN, cols: 45 };
    const found = await read([...QUESTION, ...rows, "", " Enter to confirm"], narrow);
    expect(found?.choices.map(({ label }) => label)).toEqual([
      "No, disable the imports of every file",
      "Yes, allow them",
    ]);
    expect(await read([...QUESTION, ...rows], narrow)).toBeNull();
  });

  it("has no text field where a hidden cursor was left far behind its row", async () => {
    const rows = [...QUESTION, "   1. Yes", " ❯ 2. No", "", " enter to select"];
    const at = (x: number): Parameters<typeof drawView>[1] => ({ ...HIDDEN, cursor: [x, 4] });
    expect((await read(rows, at(70)))?.choices.map(({ takesText }) => takesText)).toEqual([
      undefined,
      undefined,
    ]);
    expect(await read(rows, at(10))).toBeNull();
  });

  it("is not read in a box that something else is drawn into", async () => {
    expect(await labels([...QUESTION, " ❯ 1. Yes", "   2. No │"])).toBeUndefined();
  });

  it.each(["Shall it be removed?", "[y] allow  [n] deny", "Continue (y/n)"])(
    "is not read where a row below it asks: %s",
    async (row) => {
      expect(await labels([...QUESTION, " → 1. Read the file", "   2. Mend it", "", row])).toBeUndefined();
    },
  );

  it.each([
    ["signs of their states", "● Todos", ["  ● Read the file", "  ○ Mend it", "  ○ Run the tests"]],
    [
      "a mark at the present one",
      "Todo  1/3 completed (ctrl+t to toggle)",
      ["  » Mend it", "    Run the tests"],
    ],
    ["numbers", "Plan", ["  1. Read the file", "→ 2. Mend it", "  3. Run the tests"]],
    ["ticks beside the mark", "What next", ["  ✓ Read the file", "  → Mend it", "  ☐ Run the tests"]],
    ["ticks above the mark", "What next", ["  ✓ Read the file", "  → Mend it", "    Run the tests"]],
  ])("is not seen in the steps of a plan with %s", async (_, heading, rows) => {
    expect(await labels([heading, ...rows])).toBeUndefined();
    expect(await labels([heading, ...rows, "", "  some status"])).toBeUndefined();
  });

  it.each(["What I will do:", "Working on the release", "Now:", "3 things left"])(
    "is not seen in steps below a heading in any words: %s",
    async (heading) => {
      const rows = ["  1. Read the file", "→ 2. Mend it", "  3. Run the tests"];
      expect(await labels([heading, "", ...rows])).toBeUndefined();
      expect(await labels([heading, ...rows, "", "  42% of the context left"])).toBeUndefined();
    },
  );

  it.each([
    ["a question above it", ["Where shall it go?", "  1. Staging", "→ 2. Production"]],
    ["keys below it", ["Target", "  1. Staging", "→ 2. Production", "", "enter selects, esc goes back"]],
    ["an answer in it", ["Target", "  1. Staging", "→ 2. Cancel"]],
    ["the sign of a cursor", ["Ziel", "  1. Probelauf", "❯ 2. Betrieb"]],
  ])("is read where it is announced by %s", async (_, rows) => {
    expect(await labels(rows)).toHaveLength(2);
  });

  it.each(["Implement this plan?", "Which of the steps?", "It leaves plan mode", "All tasks wait for you."])(
    "is read below a row that only speaks of such a list: %s",
    async (question) => expect(await labels([question, "", " ◉ Yes", " ○ No"])).toEqual(["Yes", "No"]),
  );

  it("is not read where a cursor that is shown stands in an input box below it", async () => {
    const rows = [...QUESTION, " ❯ 1. Yes", "   2. No", "", "› "];
    expect(await read(rows, { alternate: true, cursor: [2, rows.length - 1] })).toBeNull();
  });
});

describe("what changes around such a list while it waits", () => {
  const choices = [" ❯ Yes", "   No"];
  const withBar = (rows: readonly string[], thumb: number) =>
    rows.map((row, at) => `${row.padEnd(39)}${at < thumb ? "│" : "█"}`);

  it("is not its scroll bar: the prompt stays the same when that goes", async () => {
    const narrow = { ...HIDDEN, cols: 40 };
    const rows = [" Some text above", "", " Deploy to the cluster?", "", ...choices];
    const plain = await read(rows, narrow);
    expect(plain?.question).toBe("Deploy to the cluster?");
    for (const thumb of [2, 4]) {
      const barred = await read(withBar(rows, thumb), narrow);
      expect(barred?.fingerprint).toBe(plain?.fingerprint);
      expect(barred?.choices.map(({ label }) => label)).toEqual(["Yes", "No"]);
    }
  });

  it("is not the sign of a step above it, unless that shows what is chosen", async () => {
    const readBelow = async (step: string) =>
      (await read([`${step} Calling deploy`, "", " Go on?", "", ...choices]))?.fingerprint;
    expect(await readBelow("◦")).toBe(await readBelow("•"));
    expect(await readBelow("⠙")).toBe(await readBelow("⠹"));
    expect(await readBelow("○")).not.toBe(await readBelow("●"));
    expect(await readBelow("◦ 2")).not.toBe(await readBelow("• 3"));
  });
});
