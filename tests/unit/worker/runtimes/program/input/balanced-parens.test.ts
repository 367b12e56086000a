/** Brackets are counted as a Lisp reader does, with texts, comments, character literals and commented data in between. */
import { describe, expect, it } from "vitest";
import { findImbalance } from "../../../../../../src/worker/runtimes/program/input/balanced-parens.js";

const LISP = {
  open: ["(", "[", "{"],
  close: [")", "]", "}"],
  string_delims: ['"'],
  escape: "\\",
  line_comment: ";",
  block_comment: ["#|", "|#"] as [string, string],
  char_literal_prefix: "#\\",
  datum_comment_prefix: "#;",
};

describe("whole", () => {
  it.each([
    "",
    "(+ 1 2)",
    "[a {b (c)}]",
    '(display ")")',
    '(display "a \\" )")',
    "(a) ; )))",
    "#| ((( |# (a)",
    "#| a #| ( |# b |# (c)",
    "#\\( ",
    "(list #\\) #\\[ #\\space)",
    "#;(a b) (c)",
    "#;#;(a)(b) (c)",
    "#;a b",
    '#;"text" b',
    "(a #;(b c) d)",
    "'(a `(b ,@c))",
    "x",
  ])("%s", (text) => {
    expect(findImbalance(text, LISP)).toBeNull();
  });
});

describe("not whole", () => {
  it.each([
    ["(define (f x)", '")" is missing'],
    ["(a]", '")" is missing before "]"'],
    [")", "closes nothing"],
    ['"text', "the text's \" is missing"],
    ["#| comment", "is missing"],
    ["#\\", "a character is missing"],
    ["#;", "nothing follows"],
    ["#;#;(a)", "nothing follows"],
    ["(a #;)", "nothing follows"],
    ["(a ; )", '")" is missing'],
  ])("%s", (text, words) => {
    expect(findImbalance(text, LISP)).toContain(words);
  });

  it("takes time that grows with the text alone", () => {
    expect(findImbalance("(".repeat(200_000), LISP)).toContain("missing");
  });
});
