/** Names of keys, so that files need no control characters. */
import * as v from "valibot";
import { findNearest } from "../../model/data/nearest.js";

const KEYS = {
  enter: "\r",
  esc: "\u001b",
  tab: "\t",
  space: " ",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  "ctrl-c": "\u0003",
  "ctrl-d": "\u0004",
  "ctrl-u": "\u0015",
} as const;

export type KeyName = keyof typeof KEYS;
export const KEY_NAMES: readonly string[] = Object.keys(KEYS);

/** Looks up the bytes of a key; whatever is no name is the character itself. */
export function findKey(name: string): string {
  return isKeyName(name) ? KEYS[name] : name;
}

function isKeyName(name: string): name is KeyName {
  return Object.hasOwn(KEYS, name);
}

/** One of the names, or the character itself: a longer word would be typed. */
export const keyName = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || isKeyName(dataset.value) || [...dataset.value].length === 1) return;
    const meant = findNearest(dataset.value, KEY_NAMES);
    const help = meant ? `did you mean "${meant}"?` : `there are: ${KEY_NAMES.join(", ")}`;
    addIssue({ message: `expected one character or the name of a key; ${help}`, received: "" });
  }),
);
