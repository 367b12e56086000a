/** Figures and tables: medians of interleaved rounds, written as ratios wherever something stands beside them. */

/** A suite's result: a title, what it says, and its table. */
export interface Report {
  readonly title: string;
  readonly text: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Three digits that count. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3).replace(/\.?0+$/, "");
}

export function markdown({ title, text, columns, rows }: Report): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = columns.map((_, index) => (index === 0 ? "---" : "---:"));
  return [`### ${title}`, "", text, "", line(columns), line(rule), ...rows.map(line)].join("\n");
}

/** The page with a suite's figures in place of the old ones. Errors: a page without the marks of that suite. */
export function withFigures(page: string, suite: string, figures: string): string {
  const begin = `<!-- figures: npm run bench -- ${suite} --write -->`;
  const end = `<!-- end of ${suite} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0)
    throw new Error(`docs/reference/performance.md has no marks for ${suite}: ${begin} … ${end}`);
  return `${page.slice(0, from)}${begin}\n\n${figures}\n\n${page.slice(to)}`;
}
