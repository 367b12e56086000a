/** Figures that suites measure: printed beside their bar, and collected in a file for `npm run verify`. A missed bar fails nothing. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const FILE_VARIABLE = "ATB_FIGURES";

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly bar: number;
  readonly unit: string;
}

export function printFigure(name: string, value: number, bar: number, unit: string): void {
  const figure = { name, value, bar, unit };
  console.info(`  ${formatFigure(figure)}`);
  const file = process.env[FILE_VARIABLE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}

export function formatFigure({ name, value, bar, unit }: Figure): string {
  const isOver = value > bar ? ": slower than the bar" : "";
  return `${name}: ${Number(value.toPrecision(3))} ${unit}, bar ${bar} ${unit}${isOver}`;
}

/** The environment in which suites put their figures into `file`. */
export function collectFiguresIn(file: string): Readonly<Record<string, string>> {
  return { [FILE_VARIABLE]: file };
}

export function readFigures(file: string): Figure[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Figure);
}
