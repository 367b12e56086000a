/** The effect of a key on the screen is read as the same question, a part of it, another question or the answered one. */
import { describe, expect, it } from "vitest";
import { isPartOf, showsOf } from "../../../../../src/worker/answer/effect/shows.js";
import { ANY_LIST } from "../../../../../src/worker/detection/matchers/any-list.js";
import { asId, type Fingerprint } from "../../../../../src/model/ids.js";
import type { Plan } from "../../../../../src/worker/answer/plan/plan-steps.js";
import { candidateOf, choicesOf, viewOf } from "../make.js";

describe("a prompt that is erased row by row", () => {
  const rows = ["❯ 1. Yes", "  2. Yes, and never ask again", "     in /srv/app", "  3. No"];
  const whole = candidateOf({
    choices: choicesOf({ label: "Yes" }, { label: "Yes, and never ask again in /srv/app" }, { label: "No" }),
    listed: rows.join("\n"),
  });
  const partOf = (labels: readonly string[], listed: readonly string[]) =>
    candidateOf({ choices: choicesOf(...labels.map((label) => ({ label }))), listed: listed.join("\n") });

  it("is still that question when the last row of a label is gone", () => {
    expect(isPartOf(whole, partOf(["Yes", "Yes, and never ask again"], rows.slice(0, 2)))).toBe(true);
  });

  it("is another question when a row says something else", () => {
    const listed = ["❯ 1. Yes", "  2. Yes, and never ask"];
    expect(isPartOf(whole, partOf(["Yes", "Yes, and never ask"], listed))).toBe(false);
  });

  it("is another question when nobody knows how its labels were drawn", () => {
    expect(isPartOf(whole, partOf(["Yes", "Yes, and never ask again"], []))).toBe(false);
  });
});

describe("a list that no rule describes, seen after a key", () => {
  const list = candidateOf({
    rule: ANY_LIST,
    question: "What now?",
    fingerprint: asId<Fingerprint>("list"),
    choices: choicesOf({ label: "No" }, { label: "Other" }),
  });
  const row = (text: string) => viewOf(["What now?", text, "  2. Other"]);
  const answered = (live: ReturnType<typeof candidateOf>, view = row("❯ 1. No")) =>
    showsOf({ effect: { kind: "leaves" } } as unknown as Plan, { view, live, composer: null })({
      view: row("  1. No"),
      live: list,
      composer: null,
    });

  it("may be what is left of a dialog that a rule describes", () => {
    expect(answered(candidateOf())).toBe("neither");
  });

  it("is another prompt where it lists what did not stand in that dialog", () => {
    expect(answered(candidateOf(), row("❯ 1. Yes"))).toBe("other");
  });

  it("is another prompt where the answered one was such a list too", () => {
    expect(answered(candidateOf({ rule: ANY_LIST }))).toBe("other");
  });
});

describe("a task that was typed into the input box", () => {
  const look = (live: ReturnType<typeof candidateOf> | null, composer: "filled" | null = null) => ({
    view: viewOf([]),
    live,
    composer,
  });
  const shows = showsOf({ effect: { kind: "composer_empties" } } as unknown as Plan, look(null, "filled"));

  it("meets no other question in a picture that is half drawn", () => {
    expect(shows(look(candidateOf({ promptType: "unknown" })))).toBe("neither");
    expect(shows(look(null))).toBe("neither");
  });

  it("meets another question where a dialog stands", () => {
    expect(shows(look(candidateOf()))).toBe("other");
    expect(shows(look(candidateOf({ rule: ANY_LIST })))).toBe("other");
  });
});
