/** A choice whose description stands beside its label, each wrapped in a column of its own. */
import { measureIndent, isBlank, joinWrapped, type Page } from "../layout/layout.js";

export interface RowTexts {
  readonly label: string;
  readonly details: string;
}

const COLUMN_GAP = / {2,}(?=\S)/u;

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
