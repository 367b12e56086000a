/** A prompt library that shows the taken label in place of its menu proves, or disproves, an answer, whatever was drawn in between. */
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import { inject, requireReceipt } from "../attempt.js";
import { arrowList, FakePort } from "../fake-port.js";
import { makeCandidate, makeView } from "../make.js";

const QUESTION = "Apply it?";
const asked = (highlighted: number, parts: Partial<Candidate> = {}): Candidate =>
  arrowList(["Yes", "Yes, to all", "No"], highlighted, { question: QUESTION, ...parts });
/** The picture in the middle of the redraw, which reads like a question of its own. */
const halfDrawn = makeCandidate({ question: `✔ ${QUESTION}`, choices: [], rule: "line", shape: "line" });
const MENU = [`? ${QUESTION}`, "❯ Yes", "  Yes, to all", "  No"];

async function takeRow(row: number, drawn: readonly string[], before: readonly string[] = MENU) {
  const top = before.length - MENU.length;
  const raised = asked(row, { region: { top, bottom: before.length - 1 } });
  const port = new FakePort(raised, makeView(before));
  port.react = () => {
    port.drawIn(10, halfDrawn, [...before.slice(0, top), `✔ ${QUESTION}`]);
    port.drawIn(20, null, drawn);
  };
  return requireReceipt(inject(port, raised, String(row)));
}

describe("the label in place of the menu", () => {
  it.each([
    ["behind the question", ["✔ Apply it? › Yes"], 1],
    ["that holds other labels", ["✔ Apply it? … Yes, to all"], 2],
    ["in small letters, with output below", ["✔ Apply it? · no", "Nothing is applied."], 3],
  ])("confirms the answer: %s", async (_, drawn, row) => {
    expect(await takeRow(row, drawn)).toMatchObject({
      outcome: "answered",
      evidence: "the tool shows which choice it took",
    });
  });

  it.each([
    ["it is another label", ["✔ Apply it? › No"], 1],
    ["it is no label", ["✔ Apply it? › Yes and more"], 1],
    ["it stands below, as the first row of a menu does", ["◇  Apply it?", "│  No"], 3],
  ])("does not where %s", async (_, drawn, row) => {
    expect((await takeRow(row, drawn)).outcome).toBe("uncertain");
  });

  it("does not where it stood there before, from an equal question", async () => {
    const earlier = "✔ Apply it? › Yes";
    expect((await takeRow(1, [earlier, "Done"], [earlier, ...MENU])).outcome).toBe("uncertain");
    expect((await takeRow(1, [earlier, earlier, "Done"], [earlier, ...MENU])).outcome).toBe("answered");
  });

  it("is not read in the rows of a menu that still waits", async () => {
    const raised = asked(3);
    const port = new FakePort(raised, makeView([]));
    port.react = () => port.drawIn(10, asked(1), MENU);
    expect((await requireReceipt(inject(port, raised, "3"))).outcome).toBe("uncertain");
  });

  it("confirms an answer after which the equal question is asked again", async () => {
    const raised = asked(1, { region: { top: 0, bottom: 3 } });
    const port = new FakePort(raised, makeView(MENU));
    port.react = () =>
      port.drawIn(10, asked(1, { region: { top: 1, bottom: 4 } }), ["✔ Apply it? › Yes", ...MENU]);
    expect((await requireReceipt(inject(port, raised, "1"))).outcome).toBe("answered");
  });
});
