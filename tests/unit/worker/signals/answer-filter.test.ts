/** The terminal's own answer to a query that we have answered is removed from the input once, and no key is delayed. */
import { describe, expect, it } from "vitest";
import { AnswerFilter } from "../../../../src/worker/signals/answer-filter.js";

const pass = (filter: AnswerFilter, text: string, now = 0): string =>
  Buffer.from(filter.filter(Buffer.from(text, "latin1"), now)).toString("latin1");
const expecting = (): AnswerFilter => {
  const filter = new AnswerFilter();
  filter.expect(0);
  return filter;
};

describe("the terminal's own answer to a query that we have answered", () => {
  it.each(["\x1b]7501;?\x1b\\", "\x1b]7501;?\x07", "\x1b]7501;?:v=1\x1b\\"])("is removed: %j", (answer) => {
    expect(pass(expecting(), `a${answer}\x1b[?62c`)).toBe("a\x1b[?62c");
  });

  it("is removed when it comes in pieces", () => {
    const filter = expecting();
    expect([pass(filter, "x\x1b]75"), pass(filter, "01;?\x1b"), pass(filter, "\\y")].join("|")).toBe("x||y");
  });

  it("is removed once, as the next one answers something else", () => {
    const filter = expecting();
    const answer = "\x1b]7501;?\x07";
    expect(pass(filter, answer)).toBe("");
    expect(pass(filter, answer)).toBe(answer);
  });

  it("passes when nobody expects it, or not any more", () => {
    const answer = "\x1b]7501;?\x07";
    expect(pass(new AnswerFilter(), answer)).toBe(answer);
    expect(pass(expecting(), answer, 10_000)).toBe(answer);
  });

  it("keeps no key waiting: Esc and Alt-] pass at once", () => {
    const filter = expecting();
    expect(pass(filter, "\x1b")).toBe("\x1b");
    expect(pass(filter, "\x1b]")).toBe("\x1b]");
  });

  it("gives back what only began like it", () => {
    const filter = expecting();
    expect(pass(filter, "\x1b]750")).toBe("");
    expect(pass(filter, "2;x\x07")).toBe("\x1b]7502;x\x07");
    const long = `\x1b]7501;${"A".repeat(100)}`;
    expect(pass(filter, long)).toBe(long);
  });
});
