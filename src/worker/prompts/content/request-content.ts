/** Formats the input of a call as text for people: all of it, the important fields first. Pure. */
import type { Json } from "../../../model/data/json.js";

/** Indented JSON grows with depth; within these limits it stays far below the size limit of a message to the hub. */
const LAID_OUT_LENGTH_MAX = 64 * 1024;
const LAID_OUT_DEPTH_MAX = 16;

/** Fields named in `first` come first, unchanged or with each line marked (`-old`, `+new`). */
export function formatInput(input: Json, first: readonly string[]): string {
  const leading = first.map(parseFieldName).filter(({ name }) => name in input);
  const named = new Set(leading.map(({ name }) => name));
  const others = Object.keys(input).filter((name) => !named.has(name));
  return [
    ...leading.map(({ name, mark }) => markLines(formatValue(input[name]), mark)),
    ...others.map((name) => formatField(name, input[name])),
  ].join("\n");
}

function parseFieldName(entry: string): { readonly name: string; readonly mark: string } {
  const mark = entry.startsWith("-") || entry.startsWith("+") ? entry.slice(0, 1) : "";
  return { name: entry.slice(mark.length), mark };
}

function markLines(text: string, mark: string): string {
  return mark === ""
    ? text
    : text
        .split("\n")
        .map((line) => `${mark}${line}`)
        .join("\n");
}

function formatField(name: string, value: unknown): string {
  const text = formatValue(value);
  return text.includes("\n") ? `${name}:\n${text}` : `${name}: ${text}`;
}

/** Formats any value, indented where that is readable; a huge or deep value is complete on one line. */
export function formatValue(value: unknown): string {
  if (typeof value === "string") return value;
  const compact = JSON.stringify(value);
  const isReadable = compact.length <= LAID_OUT_LENGTH_MAX && isWithin(value, LAID_OUT_DEPTH_MAX);
  return isReadable ? JSON.stringify(value, null, 2) : compact;
}

function isWithin(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== "object") return true;
  return depth > 0 && Object.values(value).every((inner) => isWithin(inner, depth - 1));
}
