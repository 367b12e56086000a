/** The redactor hides at least 95 in 100 secrets however they are broken, of formats and of kinds, and leaves at least 98 in 100 harmless texts unchanged. */
import { describe, expect, it } from "vitest";
import { layOutCells } from "../../../src/hub/picture/cells.js";
import { redact } from "../../../src/safety/redact.js";
import { joinContent } from "../../../src/worker/detection/layout/content.js";
import { toPage } from "../../../src/worker/detection/layout/layout.js";
import { Screen } from "../../../src/worker/screen/screen.js";
import { keptTexts, secretTexts, type SecretText } from "../../support/secrets/corpus.js";
import { kindTexts } from "../../support/secrets/kinds.js";
import { leaks } from "../../support/secrets/leaks.js";

const secrets = secretTexts();
const kinds = kindTexts();
const kept = keptTexts();
const HIDDEN_MIN = 0.95;
const KEPT_MIN = 0.98;
const ROWS = 26;

/** As a tool draws it in its box: broken at the edge, the border in another colour, the text's colour changed every 11 characters. */
function drawnInBox(text: string, cols: number): string {
  const inner = cols - 4;
  const rows = text.split("\n").flatMap((line) => pieces(line, inner));
  return rows
    .map((row) => `\u001b[2m│\u001b[0m ${coloured(row.padEnd(inner))} \u001b[2m│\u001b[0m`)
    .join("\r\n");
}

function pieces(line: string, length: number): string[] {
  const count = Math.max(1, Math.ceil(line.length / length));
  return Array.from({ length: count }, (_, at) => line.slice(at * length, (at + 1) * length));
}

function coloured(row: string): string {
  return pieces(row, 11)
    .map((piece, at) => `\u001b[${31 + (at % 6)}m${piece}`)
    .join("");
}

/** What a card and a picture show of it. */
async function showDrawn(drawn: string, cols: number): Promise<{ card: string; picture: () => string }> {
  const screen = new Screen({ cols, rows: ROWS });
  try {
    screen.write(Buffer.from(drawn));
    await screen.flushed();
    const view = screen.view();
    const lines = view.lines.map((line) => ({ wrapped: line.wrapped, runs: line.runs() }));
    const picture = (): string =>
      layOutCells({ cols, rows: ROWS, cursor: null, lines })
        .map(({ text }) => text)
        .join("");
    // Detection joins what the terminal wrapped itself.
    const rows = toPage(view).rows.map(({ text }) => text);
    return { card: redact(joinContent(rows, cols)), picture };
  } finally {
    screen.dispose();
  }
}

function wrapped45(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => pieces(line, 45))
    .join("\n");
}

async function expectHiddenDrawn(all: readonly SecretText[], cols: number): Promise<void> {
  const inBox: SecretText[] = [];
  const wrapped: SecretText[] = [];
  for (const secret of all) {
    const { text, core } = secret;
    const box = await showDrawn(drawnInBox(text, cols), cols);
    if (leaks(box.card, core) || leaks(box.picture(), core)) inBox.push(secret);
    const bare = await showDrawn(text.split("\n").map(coloured).join("\r\n"), cols);
    if (leaks(bare.card, core)) wrapped.push(secret);
  }
  expectHidden(inBox, all);
  expectHidden(wrapped, all);
}

function expectHidden(leaked: readonly SecretText[], all: readonly SecretText[]): void {
  const names = leaked.map(({ name }) => name).join("; ");
  expect(1 - share(leaked.length, all), names).toBeGreaterThanOrEqual(HIDDEN_MIN);
}

function share(count: number, all: readonly unknown[]): number {
  return count / all.length;
}

describe("a corpus of secrets in real formats", () => {
  it("is as large as it says", () => {
    expect(secrets.length).toBeGreaterThanOrEqual(300);
    expect(kinds.length).toBeGreaterThanOrEqual(180);
    expect(kept.length).toBeGreaterThanOrEqual(300);
  });

  it("is hidden where nothing breaks it", () => {
    const leaked = secrets.filter(({ text, core }) => leaks(redact(text), core));
    expect(leaked.map(({ name }) => name)).toEqual([]);
  });

  it.each([120, 80, 45])("is hidden on card and picture, coloured and broken at %i columns", async (cols) => {
    await expectHiddenDrawn(secrets, cols);
  });
});

describe("a corpus of kinds of secrets", () => {
  it.each([
    ["plain", (text: string) => text],
    ["wrapped at 45 columns", wrapped45],
  ])("is hidden: %s", (_, lay) => {
    const leaked = kinds.filter(({ text, core }) => leaks(redact(lay(text)), core));
    expectHidden(leaked, kinds);
  });

  it.each([120, 80, 45])("is hidden on card and picture, coloured and broken at %i columns", async (cols) => {
    await expectHiddenDrawn(kinds, cols);
  });
});

describe("a corpus of texts that only look like secrets", () => {
  it.each([200, 80, 45])("stays readable at %i columns", (cols) => {
    const cut = kept.filter((text) => {
      const rows = pieces(text, cols).join("\n");
      return redact(rows) !== rows;
    });
    expect(1 - share(cut.length, kept), cut.join("\n")).toBeGreaterThanOrEqual(KEPT_MIN);
  });
});
