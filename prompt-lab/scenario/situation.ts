/**
 * A scenario's situation and its set, which is chosen by name alone. Variants of one dialog are in one set, so that no rule is measured
 * with a dialog that it was written for.
 */
import { createHash } from "node:crypto";

/** Rules are written with `develop` only; `measure` is never looked at meanwhile. */
export const LAB_SETS = ["develop", "measure"] as const;
export type LabSet = (typeof LAB_SETS)[number];

/** One scene in five is measured. */
const ONE_OF = 5;
/** `80x24`, `2.1.329`, `v1.0.0`: from here an id describes the recording. */
const TAKE = /^(?:\d{1,4}x\d{1,4}|v?\d{1,9}\.\d.*)$/u;
/** Last words that describe how the scene ended. */
const FATES = new Set(
  "answered both checked denied esc first late moved no resized review second third twice typed".split(" "),
);

/** `claude/bash-moved` of `claude_bash_moved_80x24_2.1.329_signals`. */
export function readSituation(tool: string, scenarioId: string): string {
  const words = scenarioId.split(/[_-]/u);
  const take = words.findIndex((word) => TAKE.test(word));
  const name = words.slice(0, take > 0 ? take : undefined).join("-");
  return `${tool}/${name.startsWith(`${tool}-`) ? name.slice(tool.length + 1) : name}`;
}

/** `claude/bash` of `claude/bash-moved-answered`. */
export function readScene(situation: string): string {
  const words = situation.split("-");
  while (words.length > 1 && FATES.has(words.at(-1) ?? "")) words.pop();
  return words.join("-");
}

/** A change here makes earlier measurements incomparable. */
export function chooseSet(situation: string): LabSet {
  const digest = createHash("sha256").update(readScene(situation)).digest();
  return digest.readUInt32BE() % ONE_OF === 0 ? "measure" : "develop";
}
