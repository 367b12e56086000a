/** The effect of a key on the screen is read as the same question, a part of it, another question or the answered one. */
import { describe, expect, it } from "vitest";
import { isPartOf, createClassifier } from "../../../../../src/worker/answer/effect/classify-moment.js";
import { ANY_LIST } from "../../../../../src/worker/detection/matchers/any-list-rule.js";
import { asId, type Fingerprint } from "../../../../../src/model/ids.js";
import type { Plan } from "../../../../../src/worker/answer/plan/plan-steps.js";
import { makeCandidate, makeChoices, makeView } from "../make.js";

describe("a prompt that is erased row by row", () => {
  const rows = ["❯ 1. Yes", "  2. Yes, and never ask again", "     in /srv/app", "  3. No"];
  const whole = makeCandidate({
    choices: makeChoices(
      { label: "Yes" },
      { label: "Yes, and never ask again in /srv/app" },
      { label: "No" },
    ),
    listed: rows.join("\n"),
  });
  const drawPart = (labels: readonly string[], listed: readonly string[]) =>
    makeCandidate({ choices: makeChoices(...labels.map((label) => ({ label }))), listed: listed.join("\n") });

  it("is still that question when the last row of a label is gone", () => {
    expect(isPartOf(whole, drawPart(["Yes", "Yes, and never ask again"], rows.slice(0, 2)))).toBe(true);
  });

  it("is another question when a row says something else", () => {
    const listed = ["❯ 1. Yes", "  2. Yes, and never ask"];
    expect(isPartOf(whole, drawPart(["Yes", "Yes, and never ask"], listed))).toBe(false);
  });

  it("is another question when nobody knows how its labels were drawn", () => {
    expect(isPartOf(whole, drawPart(["Yes", "Yes, and never ask again"], []))).toBe(false);
  });
});

describe("a list that no rule describes, seen after a key", () => {
  const list = makeCandidate({
    rule: ANY_LIST,
    question: "What now?",
    fingerprint: asId<Fingerprint>("list"),
    choices: makeChoices({ label: "No" }, { label: "Other" }),
  });
  const row = (text: string) => makeView(["What now?", text, "  2. Other"]);
  const answered = (live: ReturnType<typeof makeCandidate>, view = row("❯ 1. No"), now = row("  1. No")) =>
    createClassifier({ effect: { kind: "leaves" } } as unknown as Plan, { view, live, composer: null })({
      view: now,
      live: list,
      composer: null,
    });

  it("may be what is left of a dialog that a rule describes", () => {
    expect(answered(makeCandidate())).toBe("neither");
  });

  it("may be that dialog, drawn anew up to the number of its last row", () => {
    const half = (row: string) => makeView(["What now?", "  1. No", row], { cursor: [4, 2] });
    expect(answered(makeCandidate(), undefined, half("❯ 2."))).toBe("neither");
    expect(answered(makeCandidate(), undefined, half("❯ 3."))).toBe("other");
  });

  it("is another prompt where it lists what did not stand in that dialog", () => {
    expect(answered(makeCandidate(), row("❯ 1. Yes"))).toBe("other");
  });

  it("is another prompt where the answered one was such a list too", () => {
    expect(answered(makeCandidate({ rule: ANY_LIST }))).toBe("other");
  });
});

describe("a task that was typed into the input box", () => {
  const look = (live: ReturnType<typeof makeCandidate> | null, composer: "filled" | null = null) => ({
    view: makeView([]),
    live,
    composer,
  });
  const shows = createClassifier(
    { effect: { kind: "composer_empties" } } as unknown as Plan,
    look(null, "filled"),
  );

  it("meets no other question in a picture that is half drawn", () => {
    expect(shows(look(makeCandidate({ promptType: "unknown" })))).toBe("neither");
    expect(shows(look(null))).toBe("neither");
  });

  it("meets another question where a dialog stands", () => {
    expect(shows(look(makeCandidate()))).toBe("other");
    expect(shows(look(makeCandidate({ rule: ANY_LIST })))).toBe("other");
  });
});
