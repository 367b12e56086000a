/**
 * The name of a choice: its number, or a letter if the choice is not a row of the dialog on the screen. The rows of such a
 * dialog have their own numbers, so a number would be ambiguous.
 */
import type { Constraints } from "../prompt.js";

const FIRST = "A".charCodeAt(0);
/** With more choices than letters, numbers are used. */
const LETTERS = 26;

/** `index` counts from 1. */
export function nameChoice(lettered: boolean, index: number): string {
  return lettered && index <= LETTERS ? String.fromCharCode(FIRST + index - 1) : String(index);
}

/** The number (from 1) of the choice with this name; null: no choice has it. */
export function findChoice({ lettered = false, maxChoice = 0 }: Constraints, name: string): number | null {
  for (let index = 1; index <= maxChoice; index++)
    if (nameChoice(lettered, index) === name.toUpperCase()) return index;
  return null;
}
