/** Prints how many times as long a reader takes for a hostile text of twice the length. It is about 2 where the work is linear. */
import { it } from "vitest";
import { findVersion } from "../../src/model/data/version-range.js";
import { redact } from "../../src/safety/redact.js";
import { readShellLine } from "../../src/hub/policy/command/shell-reader.js";
import { compileGlob } from "../../src/worker/integrations/acp/permission/glob.js";
import { printFigure } from "./figures.js";

const ROUNDS = 5;
/** A quadratic reader has 4. */
const GROWTH_MAX = 3;

const stars = compileGlob(`${"*a".repeat(250)}b`, "text");

const READERS: readonly (readonly [name: string, read: (length: number) => unknown])[] = [
  ["redaction of one long word", (length) => redact("a".repeat(length))],
  ["redaction of repeated passwords", (length) => redact("password:".repeat(length / 9))],
  ["redaction of open keys", (length) => redact("-----BEGIN PRIVATE KEY-----\n".repeat(length / 28))],
  ["redaction of blanks", (length) => redact(" ".repeat(length))],
  ["the version in a long line", (length) => findVersion(`${"1.2 ".repeat(length / 4)}\ntool 1.2.3`, "tool")],
  ["a shell line of many parts", (length) => readShellLine("a && ".repeat(length / 50))],
  ["a pattern with 250 stars", (length) => stars("a".repeat(length / 40))],
];

it.each(READERS)("%s", (name, read) => {
  read(20_000);
  const [once, twice] = [20_000, 40_000].map((length) => leastMs(() => read(length)));
  printFigure(`${name}, twice as long`, twice! / once!, GROWTH_MAX, "times");
});

/** The least of a few rounds is the one that was disturbed least. */
function leastMs(work: () => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...rounds);
}
