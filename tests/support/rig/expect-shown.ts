import { expect } from "vitest";
import type { ClaudeDialog } from "./claude-dialogs.js";
import type { Card } from "./phone.js";

/** Wraps are the terminal's, not the content's. */
const squeezed = (text: string): string => text.replace(/\s+/g, "");

/** The question; the content, whole or marked as cut; one button a row, in order. */
export function expectShown(card: Card, { question, content, rows }: ClaudeDialog): void {
  expect(squeezed(card.text)).toContain(squeezed(question));
  const shown = squeezed(card.content);
  const missing = content.filter((part) => !shown.includes(squeezed(part)));
  if (!card.isMarkedCut) expect(missing).toEqual([]);
  // A button holds 40 characters; the list in the text holds the rest. What asks for words follows the answers.
  const answers = card.buttons.slice(0, rows.length).map((button) => button.replace(/^💬 /, ""));
  const head = (text: string): string => squeezed(text).replace(/[.…]$/, "").slice(0, 24);
  expect(answers.map(head)).toEqual(rows.map((row, index) => head(`${index + 1}. ${row}`)));
}
