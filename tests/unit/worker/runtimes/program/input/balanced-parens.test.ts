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
    ["(define (f x)", '")" is missing at the end, for the bracket in line 1, column 1'],
    ["(a\n  (b)\n  (c]", '")" is missing before "]" in line 3, column 5'],
    ["(a)\n)", '")" in line 2, column 1 closes nothing'],
    ['(a\n "text', "the text's \" is missing, which begins in line 2, column 2"],
    ["a #| comment", 'the comment\'s "|#" is missing, which begins in line 1, column 3'],
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
