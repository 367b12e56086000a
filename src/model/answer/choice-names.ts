/**
 * What people call a choice: its number, or a letter where it is no row of the dialog that stands on the screen. The rows of such a
 * dialog have numbers of their own, and a number would say one thing on the card and another one beside it.
 */
import type { Constraints } from "../prompt.js";

const FIRST = "A".charCodeAt(0);
/** More choices than letters keep their numbers. */
const LETTERS = 26;

/** `index` counts from 1. */
export function nameOfChoice(lettered: boolean, index: number): string {
  return lettered && index <= LETTERS ? String.fromCharCode(FIRST + index - 1) : String(index);
}

/** The number (from 1) of a choice that somebody called so; null: no choice has that name. */
export function choiceNamed({ lettered = false, maxChoice = 0 }: Constraints, name: string): number | null {
  for (let index = 1; index <= maxChoice; index++)
    if (nameOfChoice(lettered, index) === name.toUpperCase()) return index;
  return null;
}
