/** Said at the top of each page, so that nobody edits it by hand. */
export const GENERATED = "<!-- Generated from the code: npm run docs -->";

/** A cell holds one line, no bar that would end it, and outside of code nothing that would be taken for HTML. */
export function cell(text: string): string {
  const parts = text.replace(/\s+/g, " ").trim().split("`");
  const safe = parts.map((part, at) => (at % 2 === 0 ? part.replaceAll("<", "&lt;") : part));
  return safe.join("`").replaceAll("|", "\\|");
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

/** Paragraphs, tables and headings with one blank row between them. */
export function page(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
