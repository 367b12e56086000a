/**
 * A key counts as taken only when the screen shows more than a mix of the answered dialog and of the next one, which is drawn
 * over it row by row.
 */
import { describe, expect, it } from "vitest";
import { inject, requireReceipt } from "../attempt.js";
import { FakePort } from "../fake-port.js";
import { makeCandidate, makeChoices, makeView } from "../make.js";

const ASKED = ["Which database?", "for the server", "Postgres", "SQLite", "Esc to cancel"];
const NEXT = ["Which region?", "for the backup", "EU", "US", "Esc to cancel"];
/** The highlighted row, at which a question that waits has its cursor. */
const CHOICES_AT = 2;

const dialog = (rows: readonly string[]) =>
  makeCandidate({
    question: rows[0] ?? "",
    content: { text: rows[1] ?? "", cut: null },
    choices: makeChoices(...rows.slice(CHOICES_AT, 4).map((label) => ({ label }))),
    listed: rows.slice(CHOICES_AT, 4).join("\n"),
    region: { top: 0, bottom: 4 },
    fingerprint: `print of ${rows.join("|")}` as never,
  });

interface Step {
  readonly rows: readonly string[];
  readonly at: number;
  /** In an open synchronized update. */
  readonly isHalf?: true;
}

/** `next` over `asked` down to a row, and of that row so many characters. */
const drawnTo = (at: number, characters = 0, next = NEXT): Step => ({
  at,
  rows: ASKED.map((row, y) => {
    if (y !== at) return y < at ? (next[y] ?? "") : row;
    return (next[y] ?? "").slice(0, characters) + row.slice(characters);
  }),
});
const standing = (rows = NEXT): Step => ({ at: CHOICES_AT, rows });

async function readOutcome(steps: readonly Step[], asked = ASKED): Promise<string> {
  const raised = dialog(asked);
  const port = new FakePort(raised, makeView(asked, { cursor: [0, CHOICES_AT] }));
  port.react = () => {
    for (const [index, { rows, at, isHalf = false }] of steps.entries()) {
      const modes = { synchronizedUpdate: isHalf };
      port.drawIn(10 + index, dialog(rows), rows, { cursor: [0, at], modes });
    }
  };
  return (await requireReceipt(inject(port, raised, "1"))).outcome;
}

const ON_THE_WAY = [0, 1, 2, 3, 4].flatMap((at) => [drawnTo(at), drawnTo(at, 2)]);

describe("the next question, drawn over the one that was answered", () => {
  it("has taken no key while it is drawn, and stands at the end", async () => {
    expect(await readOutcome([...ON_THE_WAY, standing()])).toBe("answered");
  });

  it("has taken no key while the tool marks it as half drawn, in any order", async () => {
    const half = (step: Step): Step => ({ ...step, isHalf: true });
    expect(await readOutcome([...ON_THE_WAY.toReversed().map(half), standing()])).toBe("answered");
    expect(await readOutcome([...ON_THE_WAY.toReversed(), standing()])).toBe("uncertain");
  });

  it.each<[string, readonly Step[]]>([
    ["left again", [...ON_THE_WAY, standing(), standing(["Done", "", "", "", ""])]],
    [
      "was erased and asked again",
      [...ON_THE_WAY, standing(), { at: 0, rows: ["", "", "", "", ""] }, standing()],
    ],
    ["was erased from its end and asked again", [...ON_THE_WAY, standing(), drawnTo(3), standing()]],
    ["came after a third one", [standing(["Which colour?", "for the car", "Red", "Blue", ""]), standing()]],
    [
      "came after one with another content above the same choices",
      [standing(["Which database?", "for the backup", "Postgres", "SQLite", "Esc to cancel"]), standing()],
    ],
    [
      "came after one with a letter more on its way",
      [
        drawnTo(0),
        drawnTo(1),
        { at: 3, rows: [...NEXT.slice(0, 1), "for the backup!", ...NEXT.slice(2)] },
        standing(),
      ],
    ],
  ])("may have taken the key when it %s", async (_, steps) => {
    expect(await readOutcome(steps)).toBe("uncertain");
  });
});
