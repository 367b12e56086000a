/** Names of keys, so that files need no control characters. */
import * as v from "valibot";
import { findNearest } from "../../model/data/nearest.js";

const KEYS: Readonly<Record<string, string>> = {
  enter: "\r",
  esc: "\u001b",
  tab: "\t",
  space: " ",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  ctrl_u: "\u0015",
};

export const KEY_NAMES: readonly string[] = Object.keys(KEYS);

export function keyOf(name: string): string {
  return KEYS[name] ?? name;
}

/** One of the names, or the character itself: a longer word would be typed. */
export const keyName = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || Object.hasOwn(KEYS, dataset.value) || [...dataset.value].length === 1) return;
    const meant = findNearest(dataset.value, KEY_NAMES);
    const help = meant ? `did you mean "${meant}"?` : `there are: ${KEY_NAMES.join(", ")}`;
    addIssue({ message: `expected one character or the name of a key; ${help}`, received: "" });
  }),
);
