/**
 * The situation a scenario shows, and the set it belongs to. A set is chosen by name alone, before anything is tuned, and twins
 * stay together: who develops on one size of a dialog must not measure with another, nor with the same dialog once answered.
 */
import { createHash } from "node:crypto";

/** `develop`: rules and shapes are written against it. `measure`: only counted, never looked at while something is tuned. */
export const LAB_SETS = ["develop", "measure"] as const;
export type LabSet = (typeof LAB_SETS)[number];

/** One scene of so many is measured with: 80 to 20. */
const ONE_OF = 5;
/** `80x24`, `2.1.329`, `v1.0.0`: from such a word on, an id says how a situation was recorded and no longer what it is. */
const TAKE = /^(?:\d{1,4}x\d{1,4}|v?\d{1,9}\.\d.*)$/u;
/** Last words of a situation that say what became of its scene. */
const FATES = new Set(
  "answered both checked denied esc first late moved no resized review second third twice typed".split(" "),
);

/** What is shown, whatever the size and the version: `claude/bash-moved` of `claude_bash_moved_80x24_2.1.329_signals`. */
export function readSituation(tool: string, scenarioId: string): string {
  const words = scenarioId.split(/[_-]/u);
  const take = words.findIndex((word) => TAKE.test(word));
  const name = words.slice(0, take > 0 ? take : undefined).join("-");
  return `${tool}/${name.startsWith(`${tool}-`) ? name.slice(tool.length + 1) : name}`;
}

/** A situation without what somebody did in it: `claude/bash` of `claude/bash-moved-answered`. */
export function readScene(situation: string): string {
  const words = situation.split("-");
  while (words.length > 1 && FATES.has(words.at(-1) ?? "")) words.pop();
  return words.join("-");
}

/** Whoever changes this rule starts to measure anew. */
export function chooseSet(situation: string): LabSet {
  const digest = createHash("sha256").update(readScene(situation)).digest();
  return digest.readUInt32BE() % ONE_OF === 0 ? "measure" : "develop";
}
