/**
 * docs/explanation/architecture.md lists the imports of every folder as the tested table does, and the next states of every open
 * state as the life of a prompt does.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { advance, PROMPT_STATES, type LifecycleEvent, type PromptState } from "../../src/model/lifecycle.js";
import { RECEIPT_OUTCOMES } from "../../src/model/answer/receipt.js";
import { FOLDERS } from "./layers.js";

const EVENTS: readonly LifecycleEvent[] = [
  ...(["asked", "claimed", "refused", "injection_began", "withdrawn", "superseded", "expired"] as const).map(
    (kind) => ({ kind }),
  ),
  ...RECEIPT_OUTCOMES.map((outcome) => ({ kind: "receipt", outcome }) as const),
];

function statesAfter(state: PromptState): string[] {
  const after = EVENTS.flatMap((event) => {
    try {
      return [advance(state, event).state];
    } catch {
      return [];
    }
  });
  return [...new Set(after)].sort();
}

/** The rows of a table of the page, cell by cell, without blanks. */
function rowsBelow(heading: string): string[][] {
  const page = readFileSync("docs/explanation/architecture.md", "utf8");
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  const rows = own.split("\n").filter((line) => /^\| `/.test(line));
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const quoted = (cell: string | undefined): string[] =>
  [...(cell ?? "").matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? "");

describe("docs/explanation/architecture.md", () => {
  it("says of every folder what it may import, as the tested table does", () => {
    const short = (folder: string): string => folder.replace(/^src\//, "");
    const told = rowsBelow("Folders").map(([folder, , may]) => [...quoted(folder), quoted(may)]);
    expect(told).toEqual(Object.entries(FOLDERS).map(([folder, may]) => [folder, may.map(short)]));
  });

  it("says of every open state which states follow, as the life of a prompt does", () => {
    const told = rowsBelow("Life of a prompt").map(([state, to]) => [...quoted(state), quoted(to).sort()]);
    const ways = PROMPT_STATES.map((state) => [state, statesAfter(state)] as const);
    expect(told).toEqual(ways.filter(([, to]) => to.length > 0));
  });
});
