/** What makes two prompts the same question (ADR 3): rule, question, choice labels, visible head of the content. */
import { createHash } from "node:crypto";
import type { Candidate } from "../../sdk/candidate.js";
import { asId, type Fingerprint } from "../../model/ids.js";

/** Blank-free characters of the content that count. Longer than any dialog's visible part at common sizes. */
const HEAD_LENGTH = 2000;
/** A row that takes text counts as that, whatever has been typed into it. */
const TEXT_ROW = "\u0000text";

export interface Identity {
  readonly rule: string;
  readonly question: string;
  readonly choices: readonly {
    readonly label: string;
    readonly takesText?: string;
    readonly textKeys?: readonly string[];
    readonly textTo?: string;
  }[];
  readonly content: { readonly text: string };
}

export function fingerprintOf(prompt: Identity): Fingerprint {
  const parts = [
    prompt.rule,
    bones(prompt.question),
    prompt.choices.map(labelBones),
    headOf(prompt.content.text),
  ];
  return asId<Fingerprint>(createHash("sha256").update(JSON.stringify(parts)).digest("hex"));
}

/** A huge screen holds a hundred times more than counts. */
function headOf(text: string): string {
  let head = "";
  for (let at = 0; at < text.length && head.length < HEAD_LENGTH; at += HEAD_LENGTH)
    head += bones(text.slice(at, at + HEAD_LENGTH));
  return head.slice(0, HEAD_LENGTH);
}

/** Text without blanks, gutters and ticks: the same however it was wrapped and whatever is ticked. */
export function bones(text: string): string {
  return text.replace(/[\s│┃☐☑☒✓✔]/gu, "");
}

function labelBones(choice: Identity["choices"][number]): string {
  return isTextRow(choice) ? TEXT_ROW : bones(choice.label);
}

/** Its field opens as soon as it is highlighted. */
function isTextRow({ takesText, textKeys, textTo }: Identity["choices"][number]): boolean {
  if (textTo !== undefined) return false;
  return takesText === "required" || (takesText === "optional" && textKeys === undefined);
}

/**
 * Whether `b` is `a` drawn at another size: the same question, as many rows, labels equal up to `…`, and no content that
 * contradicts. Rows do change with the size (a digit's meaning too), and then it is another prompt.
 */
export function sameAcrossResize(a: Candidate, b: Candidate): boolean {
  return (
    a.rule === b.rule &&
    agree(bones(a.question), bones(b.question)) &&
    a.choices.length === b.choices.length &&
    a.choices.every((choice, index) => labelsAgree(choice, b.choices[index])) &&
    contentsAgree(a, b)
  );
}

function labelsAgree(a: Identity["choices"][number], b: Identity["choices"][number] | undefined): boolean {
  return b !== undefined && agree(labelBones(a), labelBones(b));
}

/** Equal, or one is the other's beginning up to its `…`. Where room is short a tool writes `~` for the home directory. */
function agree(first: string, second: string): boolean {
  const [a, b] = [homeless(first), homeless(second)];
  return a === b || isCutOf(a, b) || isCutOf(b, a);
}

function isCutOf(cut: string, whole: string): boolean {
  return cut.endsWith("…") && whole.startsWith(cut.slice(0, -1));
}

function homeless(text: string): string {
  return text.replace(/\/(?:home|Users)\/[^/]{1,64}\/|\/root\//gu, "~/");
}

/** A smaller screen shows less: the rows of one, wherever they are wrapped, stand in the other in the same order. */
function contentsAgree(a: Candidate, b: Candidate): boolean {
  return standsIn(a.content.text, b.content.text) || standsIn(b.content.text, a.content.text);
}

function standsIn(part: string, whole: string): boolean {
  const text = bones(whole);
  let at = 0;
  for (const row of part.split("\n")) {
    // A row that is cut at the right edge, or marks that more follows, counts up to there.
    const piece = bones(row).replace(/[…↓]$/u, "");
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

/** Whether two pictures show one question. Across a resize labels may be cut; a row being edited may say anything. */
export function isSame(a: Candidate, b: Candidate, resized: boolean): boolean {
  if (a.fingerprint === b.fingerprint) return true;
  return (resized && sameAcrossResize(a, b)) || sameButEdited(a, b) || sameButScrolled(a, b);
}

/** A list longer than its place shows other rows when the highlight moves. */
function sameButScrolled(a: Candidate, b: Candidate): boolean {
  return a.torn !== undefined && a.torn === b.torn;
}

/** A row that became a text field under the cursor lost its label; everything else must be equal. */
function sameButEdited(a: Candidate, b: Candidate): boolean {
  if (a.rule !== b.rule || a.question !== b.question || a.choices.length !== b.choices.length) return false;
  if (a.content.text !== b.content.text) return false;
  const edited = a.choices.filter((choice, index) => choice.takesText !== b.choices[index]?.takesText);
  if (edited.length !== 1) return false;
  return a.choices.every(
    (choice, index) => edited.includes(choice) || choice.label === b.choices[index]?.label,
  );
}
