/** The echo of a typed line is left out however it is drawn and cut; output that only looks like it is kept. */
import { describe, expect, it } from "vitest";
import {
  EchoFilter,
  type EchoStrategy,
} from "../../../../../../src/worker/runtimes/program/output/echo-filter.js";

function filter(strategy: EchoStrategy, line: string, output: string, isCut = false): string {
  const echo = new EchoFilter(strategy, (text) =>
    text.replace(/\x1b\[[\d;]*[A-Za-z]|\r/gu, "").endsWith("> "),
  );
  echo.expect(line);
  const pieces = (isCut ? [...output] : [output]).map((piece) => echo.push(Buffer.from(piece)));
  return Buffer.concat([...pieces, echo.end()]).toString();
}

describe("an echo", () => {
  it.each([
    ["plain", "1 + 1", "1 + 1\r\n2\r\n", "2\r\n"],
    ["with colours", "1 + 1", "\x1b[33m1\x1b[0m + \x1b[33m1\x1b[0m\r\n2\r\n", "2\r\n"],
    ["wrapped at the right margin", "abcdef", "abc \rdef\r\nout\r\n", "out\r\n"],
    ["wrapped by the terminal", "abcdef", "abc\r\ndef\r\nout\r\n", "out\r\n"],
    ["wrapped before a wide character", "aa日本語", "aa日 \x1b[K本語\r\nout\r\n", "out\r\n"],
    ["wrapped before an emoji", "aaa🙂b", "aaa \x1b[K🙂b\r\nout\r\n", "out\r\n"],
    ["of an empty line", "", "\r\nout", "out"],
    ["with nothing behind it", "x", "x\r\n", ""],
  ])("%s is left out", (_what, line, output, rest) => {
    expect(filter("deterministic_byte_match", line, output)).toBe(rest);
    expect(filter("deterministic_byte_match", line, output, true)).toBe(rest);
  });

  it("behind a redrawn prompt is left out by the fuzzy strategy only", () => {
    const output = "\x1b[1G\x1b[0J> select 1;\r\n1\r\n";
    expect(filter("fuzzy_byte_match", "select 1;", output)).toBe("1\r\n");
    expect(filter("deterministic_byte_match", "select 1;", output)).toBe(output);
  });

  it("that was not found is told, and one that was found is not", () => {
    const echo = new EchoFilter("deterministic_byte_match", () => false);
    const isGivenBack = (output: string): boolean => {
      echo.expect("abc");
      echo.push(Buffer.from(output));
      echo.end();
      return echo.isEchoMissing;
    };
    expect(isGivenBack("abx\r\n")).toBe(true);
    expect(isGivenBack("a bc\r\n")).toBe(true);
    expect(isGivenBack("ab")).toBe(true);
    expect(isGivenBack("abc\r\nx\r\n")).toBe(false);
    expect(isGivenBack("")).toBe(false);
  });

  it("that is none is output", () => {
    expect(filter("deterministic_byte_match", "secret", "no echo here\r\n")).toBe("no echo here\r\n");
    expect(filter("deterministic_byte_match", "abc", "abx\r\n", true)).toBe("abx\r\n");
    expect(filter("deterministic_byte_match", "abc", "ab")).toBe("ab");
  });
});
