/** The page of answers before they are submitted is a notice for Enter; a row of buttons, or a row that is marked, is none. */
import { describe, expect, it } from "vitest";
import { detectOn, shippedAdapter } from "../../screens.js";

const claude = shippedAdapter("claude");
const HIDDEN = { cursorHidden: true, alternate: true } as const;
const lit = (text: string): string => `\u001b[30;44m${text}\u001b[0m`;
const PAGE = [
  "  I have two questions.",
  "",
  `  ┃   Database   Region  ${lit(" Confirm ")}`,
  "  ┃",
  "  ┃  Review",
  "  ┃  Database: SQLite",
  "  ┃  Region: EU",
  "  ┃",
  "  ┃  ⇆ tab  enter submit  esc dismiss",
  "  ┃",
];

describe("the page of answers before they are submitted", () => {
  it("is a notice for Enter", async () => {
    const { candidate } = await detectOn(claude, PAGE, HIDDEN);
    expect(candidate).toMatchObject({ rule: "key_notice", promptType: "confirm_enter" });
  });

  it.each([
    ["buttons", PAGE.with(2, `  ┃   Submit   ${lit(" Cancel ")}`)],
    ["a question without its answer", PAGE.with(6, "  ┃  EU")],
    ["a question's own tab open", PAGE.with(2, `  ┃  ${lit(" Database ")}  Region   Confirm`)],
    ["two rows set off", PAGE.with(5, `  ┃  ${lit("Database: SQLite")}`)],
    ["Enter that takes a row", PAGE.with(8, "  ┃  ⇆ tab  enter select  esc dismiss")],
  ])("is none with %s", async (_, rows) => {
    const { candidate } = await detectOn(claude, rows, HIDDEN);
    expect(candidate?.promptType).not.toBe("confirm_enter");
  });
});
