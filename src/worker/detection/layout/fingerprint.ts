/** When two views show the same prompt (ADR 3): same rule, question, choice labels, and rows of the content as drawn. */
import { createHash } from "node:crypto";
import type { Candidate, CandidateChoice } from "../../../sdk/candidate.js";
import { asId, type Fingerprint } from "../../../model/ids.js";
import { isSameAtAnotherSize } from "./reflow.js";

/** Replaces the label of a row that takes text, because typing changes that label. */
const TEXT_ROW = "\u0000text";

type Label = Pick<CandidateChoice, "label"> &
  Partial<Pick<CandidateChoice, "takesText" | "textKeys" | "textTo">>;

export interface DialogIdentity {
  readonly rule: string;
  readonly question: string;
  readonly choices: readonly Label[];
  /** See `Candidate`; for a request, its whole text. */
  readonly drawn: string;
}

/** Every character counts, also blanks within a row. Highlight, ticks and position do not. */
export function computeFingerprint({ rule, question, choices, drawn }: DialogIdentity): Fingerprint {
  const parts = [rule, question, choices.map(readLabel), drawn];
  return asId<Fingerprint>(createHash("sha256").update(JSON.stringify(parts)).digest("hex"));
}

function readLabel(choice: Label): string {
  return takesAnyText(choice) ? TEXT_ROW : choice.label;
}

/** Whether the row becomes a text field when it is highlighted. */
export function takesAnyText({
  takesText,
  textKeys,
  textTo,
}: Pick<Label, "takesText" | "textKeys" | "textTo">): boolean {
  if (textTo !== undefined) return false;
  return takesText === "required" || (takesText === "optional" && textKeys === undefined);
}

/** Text without blanks, gutters and ticks, to find a call's dialog however it is wrapped. Too coarse to tell two prompts apart. */
export function normalizeForCompare(text: string): string {
  return text.replace(/[\s│┃☐☑☒✓✔]/gu, "");
}

/** Whether two views show the same prompt: exactly at the same size; at another size the second must hold all that the first shows. */
export function isSame(before: Candidate, after: Candidate): boolean {
  if (before.opened !== after.opened) return false;
  if (isSameSize(before, after))
    return [isExactlySame, isSameButEdited, isSameButScrolled, isSameButChosen].some((isEqual) =>
      isEqual(before, after),
    );
  return isExactlySame(before, after) || isSameAtAnotherSize(before, after);
}

export function isSameSize({ size: a }: Candidate, { size: b }: Candidate): boolean {
  return a.cols === b.cols && a.rows === b.rows;
}

/** Compares every character. The explanation of the highlighted row is compared only while the same row is highlighted. */
export function isExactlySame(a: Candidate, b: Candidate): boolean {
  if (a.fingerprint !== b.fingerprint) return false;
  return !isSameSize(a, b) || describeMarks(a) !== describeMarks(b) || a.listed === b.listed;
}

export function describeMarks({ highlighted, at, choices }: Candidate): string {
  return `${highlighted} ${at} ${choices.map(({ checked }) => Number(checked ?? false)).join("")}`;
}

/** A scrolling list shows other rows when the highlight moves. Before it is answered, the chosen row alone is compared. */
function isSameButScrolled(a: Candidate, b: Candidate): boolean {
  return a.torn !== undefined && a.torn === b.torn && a.fingerprint !== b.fingerprint;
}

/** Behind the row that was chosen, until the tool takes its dialog away. */
const CHOSEN_SIGN = / [✓✔]$/gmu;

/** A sign behind a row says that it was chosen. Keys are not written into a dialog that shows another sign than when it was raised. */
export function isSameButChosen(a: Candidate, b: Candidate): boolean {
  if (a.fingerprint !== b.fingerprint || a.listed === b.listed) return false;
  return a.listed.replace(CHOSEN_SIGN, "") === b.listed.replace(CHOSEN_SIGN, "");
}

/** The highlighted row is a text field, whose label may have been replaced by typed text; everything else must be equal. */
function isSameButEdited(a: Candidate, b: Candidate): boolean {
  if (a.rule !== b.rule || a.question !== b.question || a.choices.length !== b.choices.length) return false;
  if (a.drawn !== b.drawn) return false;
  const edited = a.choices.flatMap((choice, index) => (isSameRow(choice, b.choices[index]) ? [] : [index]));
  const [index, ...others] = edited;
  return index !== undefined && others.length === 0 && isEditedField(index, a, b);
}

function isSameRow(a: CandidateChoice, b: CandidateChoice | undefined): boolean {
  return b !== undefined && a.label === b.label && takesAnyText(a) === takesAnyText(b);
}

/** It is enough that one of the two views shows a text field in this row. */
function isEditedField(index: number, a: Candidate, b: Candidate): boolean {
  const isField = [a, b].some(({ choices }) => choices[index] && takesAnyText(choices[index]));
  return isField && [a, b].some(({ highlighted }) => highlighted === index + 1);
}
