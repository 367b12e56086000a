/** Wraps a line between words; following rows keep its indent. */

const WIDTH_MAX = 100;

export function wrapLine(line: string, columns: number): string[] {
  // A terminal without a known size has 0 columns.
  const width = Math.min(columns || WIDTH_MAX, WIDTH_MAX);
  const indent = /^ {0,20}/.exec(line)?.[0] ?? "";
  const rows: string[] = [];
  let row = indent;
  for (const word of line.slice(indent.length).split(" ")) {
    const isFirst = row === indent;
    if (!isFirst && row.length + 1 + word.length > width) {
      rows.push(row);
      row = indent + word;
    } else row += isFirst ? word : ` ${word}`;
  }
  return [...rows, row];
}
