/** Lists of which only colours tell the marked row, or what explains a choice: read where they say it without doubt. */
import { describe, expect, it } from "vitest";
import { toPage } from "../../../../../../src/worker/detection/layout/layout.js";
import { matchAnyList } from "../../../../../../src/worker/detection/matchers/any-list.js";
import { drawView } from "../../screens.js";

const ink = (colour: number, text: string): string => `\u001b[${colour}m${text}\u001b[0m`;
const grey = (text: string): string => ink(90, text);

async function read(rows: readonly string[], drawing: Parameters<typeof drawView>[1] = {}) {
  const found = matchAnyList(
    toPage(await drawView(rows, { alternate: true, cursorHidden: true, ...drawing })),
  );
  return found && { labels: found.choices.map(({ label }) => label), highlighted: found.highlighted };
}

describe("a numbered list whose marked row only a colour shows", () => {
  const KEYS = "  ↑↓ select  enter submit  esc dismiss";
  const LIST = ["  Which region?", "", "  1. EU", ink(34, "  2. US"), "     Oregon", "  3. Asia", "", KEYS];

  it("is read where the keys say that it is moved in and taken from", async () => {
    expect(await read(LIST)).toEqual({ labels: ["EU", "US", "Asia"], highlighted: 2 });
  });

  it.each([
    ["no row set off", LIST.with(3, "  2. US")],
    ["two rows set off", LIST.with(2, ink(31, "  1. EU"))],
    ["another row's number set off", LIST.with(2, `${ink(31, "  1.")} EU`)],
    ["two rows that differ by ink", [...LIST.slice(0, 5), "", KEYS]],
    ["no keys that move", LIST.with(7, "  enter submit  esc dismiss")],
    ["no key that takes a row", LIST.with(7, "  ↑↓ scroll  esc dismiss")],
    ["its first rows hidden", LIST.with(2, "  …")],
  ])("is not read with %s", async (_, rows) => {
    expect(await read(rows)).toBeNull();
  });

  it("is not read below a cursor that is shown", async () => {
    expect(await read(LIST, { cursorHidden: false, cursor: [0, 0] })).toBeNull();
  });

  it("is read with two rows where one has a background", async () => {
    const rows = [...LIST.slice(0, 3), "  \u001b[44m2. US\u001b[0m", "", KEYS];
    expect(await read(rows)).toEqual({ labels: ["EU", "US"], highlighted: 2 });
  });
});

describe("a list whose choices are explained in their own column", () => {
  const LIST = [
    "  Connect",
    "",
    ink(34, "  › Hosted"),
    grey("    Nothing to install"),
    "",
    "    Local",
    grey("    A server of your own, at an"),
    grey("    address of your own"),
    "    Custom",
    grey("    Anything else"),
    "",
  ];

  it("is read with its explanations apart", async () => {
    expect(await read(LIST)).toEqual({ labels: ["Hosted", "Local", "Custom"], highlighted: 1 });
  });

  it.each([
    ["without colours", LIST.map((row) => row.replace(/\u001b\[\d*m/gu, ""))],
    ["with a choice that is not explained", LIST.toSpliced(9, 1)],
    ["with explanations in two colours", LIST.with(9, ink(35, "    Anything else"))],
    ["with a text drawn over a longer one", LIST.with(5, `    Local${grey(" to install")}`)],
  ])("is never read with an explanation as a choice: %s", async (_, rows) => {
    const labels = (await read(rows))?.labels ?? [];
    expect(labels.filter((label) => /install|server|address|Anything/u.test(label))).toEqual([]);
  });
});

describe("a form", () => {
  it("is no list, though its fields stand in one column", async () => {
    const rows = [
      "─".repeat(40),
      "  The server asks",
      "",
      "  ❯   Environment: Type something…",
      "      Confirm: not set",
      "",
      "    Accept    Decline",
      "",
      "  Esc to cancel · ↑/↓ to navigate",
    ];
    expect(await read(rows)).toBeNull();
    expect((await read(rows.toSpliced(6, 1)))?.labels).toHaveLength(2);
  });
});
