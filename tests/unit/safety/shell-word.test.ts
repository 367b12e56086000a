/** A word that is quoted for a shell is read back by a shell as it was. */
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { quoteShellWord } from "../../../src/safety/shell-word.js";

it("a shell reads every word back as it was", () => {
  const any = fc.sample(fc.string({ unit: "grapheme" }), 300).filter((text) => !text.includes("\0"));
  const words = [
    "",
    "my agent",
    "it's",
    "'",
    "$(id)",
    "`id`",
    "a;b|c&d>e",
    "*",
    "~",
    "#x",
    "\n",
    "\\",
    ...any,
  ];
  const line = `printf '%s\\0' ${words.map(quoteShellWord).join(" ")}`;
  expect(execFileSync("/bin/sh", ["-c", line]).toString().split("\0").slice(0, -1)).toEqual(words);
});

it("words that need no quotes have none", () => {
  for (const word of ["claude", "--model", "@scope/pkg@1.2", "a=b", "/usr/bin/x"])
    expect(quoteShellWord(word)).toBe(word);
});
