/** A choice whose description stands beside its label, each wrapped in a column of its own. */
import { measureIndent, isBlank, joinWrapped, type Page } from "../layout/layout.js";

export interface RowTexts {
  readonly label: string;
  readonly details: string;
}

/** The gap between a label and its description in the same row. */
const COLUMN_GAP = / {2,}(?=\S)/u;

/** Splits a choice into a label column and a description column, each of which wraps separately. */
export function splitColumns(page: Page, texts: readonly string[]): RowTexts {
  const head = texts[0] ?? "";
  const indent = measureIndent(head);
  const gap = COLUMN_GAP.exec(head.slice(indent));
  const column = gap ? indent + gap.index + gap[0].length : Infinity;
  const joinPart = (start: number, end: number): string =>
    joinWrapped(
      texts.map((text) => text.slice(start, end).trimEnd()).filter((text) => !isBlank(text)),
      page.cols,
    );
  return { label: joinPart(0, column), details: gap ? joinPart(column, Infinity) : "" };
}
