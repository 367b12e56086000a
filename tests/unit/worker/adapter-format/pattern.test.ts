/** A pattern of an adapter file is accepted only when it takes linear time on any text. */
import { describe, expect, it } from "vitest";
import {
  matches,
  findMatch,
  findPatternProblem,
  TEXT_READ_MAX,
} from "../../../../src/worker/adapter-format/pattern.js";

describe("a pattern that is linear", () => {
  it.each([
    "^Do you want to [^?]{1,400}\\?",
    "(?i)^press enter.{0,80}$",
    "^(?:Yes|No), (?:and|allow) ",
    "^.*$",
    "[a-z]{1,8}: {0,4}$",
    "^\\[[^\\]]{1,20}\\]$",
    "^↑ ([0-9]{1,6} more lines?)$",
    "(?:ab){2}",
    "\\u{1f600}?",
    // Repetitions that cannot overlap.
    "^ {2}DB<+\\d+>+ $",
    "^\\d+-\\d+:$",
    "^\\++\\d+\\+$",
    "^ {0,2}DB<+\\d+>+ $",
  ])("is accepted: %s", (pattern) => {
    expect(findPatternProblem(pattern)).toBeNull();
  });
});

describe("a pattern that may take long", () => {
  it.each([
    ["(a+)+$", "a repetition inside a repetition"],
    ["((ab){1,5}){2,9}", "a repetition inside a repetition"],
    ["(?:.a?){1,80}a!!$", "also of something optional"],
    ["^(?:a??b){2,}", "also of something optional"],
    ["^(?:a|aa)+$", "an alternation must not be repeated"],
    ["^a\\s*b", "a run of blanks needs a bound"],
    ["^a *b", "a run of blanks needs a bound"],
    ["^[ \\t]+x", "a run of blanks needs a bound"],
    ["^.*a.*b", "more than one unbounded repetition"],
    ["^<+\\d+", "more than one unbounded repetition"],
    ["^<+<+>$", "more than one unbounded repetition"],
    ["^<+-?<+>$", "more than one unbounded repetition"],
    // The bounded repetitions take the same characters.
    ["^.{0,45}-*\\d.{0,45}-*\\dx$", "more than one unbounded repetition"],
    ["^-{0,45}<+-+>$", "more than one unbounded repetition"],
    ["^\\w{0,9}<+\\d+>$", "more than one unbounded repetition"],
    ["^(?:-\\d)?<+\\d+>$", "more than one unbounded repetition"],
    ["^<+\\d+.?>$", "more than one unbounded repetition"],
    ["^<+-{0,3}<+>$", "more than one unbounded repetition"],
    ["^\\++\\++>$", "more than one unbounded repetition"],
    ["^\\d+1+>$", "more than one unbounded repetition"],
    ["^(?:<+|-+)>+$", "more than one unbounded repetition"],
    ["^.*<+-", "more than one unbounded repetition"],
    ["<+\\d+>", "begins with ^"],
    ["^(?:<+-){1,9}>+$", "a repetition inside a repetition"],
    [`^${"a{0,80}".repeat(2)}<+-`, "too many repetitions"],
    ["a.*b", "needs a pattern that begins with ^"],
    ["^a|b+c", "in each of its alternatives"],
    ["x{3,}", "needs a pattern that begins with ^"],
    ["a{0,80}a{0,80}a{0,80}a{0,80}b", "too many repetitions"],
    ["(a)\\1", "back-references"],
    ["(?<name>a)", "named groups"],
    ["(?<=a)b", "named groups and look-behind"],
    ["a".repeat(501), "longer than 500"],
    ["(", "not a valid regular expression"],
    ["\\-", "not a valid regular expression"],
  ])("is refused: %s", (pattern, reason) => {
    expect(findPatternProblem(pattern)).toContain(reason);
  });
});

describe("matching", () => {
  it("ignores case only where (?i) says so", () => {
    expect(matches("^yes$", "YES")).toBe(false);
    expect(matches("(?i)^yes$", "YES")).toBe(true);
  });

  it("gives the groups", () => {
    expect(findMatch("^↑ ([0-9]{1,6}) more", "↑ 16 more lines")?.[1]).toBe("16");
  });

  it("reads no more than its limit of a text", () => {
    expect(matches("needle", `${"x".repeat(TEXT_READ_MAX)}needle`)).toBe(false);
  });
});
