/** What a shell command line does, as far as rules may judge it. Pure. */
import { agrees, readShellLine, type ShellReading } from "./shell-reader.js";
import { readPlainLine, type PlainCommand } from "./plain-line.js";
import { findRunner } from "./inner-programs.js";
import { findMatch, type Truth } from "./possible-match.js";
import { remember } from "../remember.js";
import { findDifference, type CommandPrefix } from "./prefix.js";

export interface CommandLine {
  readonly text: string;
  /** The simple commands, if every one is certain. */
  readonly plain: readonly PlainCommand[] | null;
  readonly why: string;
  readonly reading: ShellReading;
}

export type { Truth };

export interface Finding {
  readonly truth: Truth;
  readonly why: string;
}

export function readCommandLine(text: string): CommandLine {
  const reading = readShellLine(text);
  const plain = readPlainLine(text);
  if (!plain.ok) return { text, plain: null, why: plain.why, reading };
  if (!agrees(text, plain.commands))
    return { text, plain: null, why: "two readers understand the command differently", reading };
  return { text, plain: plain.commands, why: "", reading };
}

const runsOthers = remember((words: readonly string[]) => findRunner(words) !== null);

/** Whether every part of the line is what one of the prefixes names, and nothing else can run. */
export function allowsAll(line: CommandLine, prefixes: readonly CommandPrefix[]): Finding {
  if (line.plain === null) return { truth: "no", why: line.why };
  for (const { words } of line.plain) {
    if (runsOthers(words)) return { truth: "no", why: `${shortenWords(words)}: runs other programs` };
    const differences = prefixes.map((prefix) => findDifference(prefix, words));
    if (differences.includes(null)) continue;
    const near = differences.find((difference) => difference !== "other words");
    const shown = shortenWords(words);
    return { truth: "no", why: near === undefined ? `${shown} is not listed` : `${shown}: ${near}` };
  }
  return { truth: "yes", why: `every part of the command is listed` };
}

/**
 * Whether a command anywhere in the line is one of the prefixes, or may be. A line may run anything once it contains a word that
 * is known only when it runs. That keeps every rule from answering it (`any`). For conditions of people (`ask`) it counts only if
 * the words of the prefix are in its text, because otherwise every line with a variable would need two people.
 */
export function containsAny(
  line: CommandLine,
  prefixes: readonly CommandPrefix[],
  reading: "any" | "ask",
): Finding {
  let mayBe =
    line.reading.isOpen &&
    (reading === "any" || prefixes.some(({ words }) => words.every((word) => line.text.includes(word))));
  for (const prefix of prefixes)
    for (const { words } of line.reading.commands) {
      const truth = findMatch(prefix, words);
      if (truth === "yes") return { truth, why: `${shortenWords(words)} is listed` };
      mayBe ||= truth === "unknown";
    }
  return mayBe
    ? { truth: "unknown", why: "what the command runs is only known when it runs" }
    : { truth: "no", why: "no part of the command is listed" };
}

const SHOWN_MAX = 80;

const shortenWords = remember((words: readonly (string | null)[]) => {
  const text = words.map((word) => word ?? "…").join(" ");
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
});
