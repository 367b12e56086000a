/** What makes two pictures the same question (ADR 3): rule, question, choice labels, and the rows of the content as drawn. */
import { createHash } from "node:crypto";
import type { Candidate, CandidateChoice } from "../../../sdk/candidate.js";
import { asId, type Fingerprint } from "../../../model/ids.js";
import { isSameAtAnotherSize } from "./reflow.js";

/** A row that takes text counts as that, whatever has been typed into it. */
const TEXT_ROW = "\u0000text";

type Label = Pick<CandidateChoice, "label"> &
  Partial<Pick<CandidateChoice, "takesText" | "textKeys" | "textTo">>;

export interface DialogIdentity {
  readonly rule: string;
  readonly question: string;
  readonly choices: readonly Label[];
  /** See `Candidate`; of a request the whole text of what it is about. */
  readonly drawn: string;
}

/** Every character of all of it counts, blanks within a row too. Highlight, ticks and place do not. */
export function fingerprintOf({ rule, question, choices, drawn }: DialogIdentity): Fingerprint {
  const parts = [rule, question, choices.map(labelOf), drawn];
  return asId<Fingerprint>(createHash("sha256").update(JSON.stringify(parts)).digest("hex"));
}

function labelOf(choice: Label): string {
  return takesAnyText(choice) ? TEXT_ROW : choice.label;
}

/** Its field opens as soon as it is highlighted. */
export function takesAnyText({
  takesText,
  textKeys,
  textTo,
}: Pick<Label, "takesText" | "textKeys" | "textTo">): boolean {
  if (textTo !== undefined) return false;
  return takesText === "required" || (takesText === "optional" && textKeys === undefined);
}

/** Text without blanks, gutters and ticks, however it was wrapped. It finds a call's dialog, and never tells two prompts apart. */
export function normalizeForCompare(text: string): string {
  return text.replace(/[\s│┃☐☑☒✓✔]/gu, "");
}

/** Whether two pictures show one question: at one size exactly, else everything that the first shows stands in the second. */
export function isSame(before: Candidate, after: Candidate): boolean {
  if (isSameSize(before, after))
    return isExactlySame(before, after) || isSameButEdited(before, after) || isSameButScrolled(before, after);
  return isExactlySame(before, after) || isSameAtAnotherSize(before, after);
}

export function isSameSize({ size: a }: Candidate, { size: b }: Candidate): boolean {
  return a.cols === b.cols && a.rows === b.rows;
}

/** Letter by letter. What explains the highlighted row can only be compared while it is the same one. */
export function isExactlySame(a: Candidate, b: Candidate): boolean {
  if (a.fingerprint !== b.fingerprint) return false;
  return !isSameSize(a, b) || marksOf(a) !== marksOf(b) || a.listed === b.listed;
}

/** What is highlighted and ticked. */
export function marksOf({ highlighted, at, choices }: Candidate): string {
  return `${highlighted} ${at} ${choices.map(({ checked }) => Number(checked ?? false)).join("")}`;
}

/** A list longer than its place shows other rows when the highlight moves. Whoever answers it compares the row that was chosen. */
function isSameButScrolled(a: Candidate, b: Candidate): boolean {
  return a.torn !== undefined && a.torn === b.torn && a.fingerprint !== b.fingerprint;
}

/** The highlighted row is a text field, which may have lost its label to what stands in it; everything else must be equal. */
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

/** Only one of the two pictures may show that it is one. */
function isEditedField(index: number, a: Candidate, b: Candidate): boolean {
  const isField = [a, b].some(({ choices }) => choices[index] && takesAnyText(choices[index]));
  return isField && [a, b].some(({ highlighted }) => highlighted === index + 1);
}
