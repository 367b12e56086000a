/** The input of a call as text that people can judge: all of it, the important fields first. Pure. */
import type { Json } from "../../../model/data/json.js";

/** Laid out, a value grows by its depth with each line; within these it stays far below what a message to the hub may hold. */
const LAID_OUT_LENGTH_MAX = 64 * 1024;
const LAID_OUT_DEPTH_MAX = 16;

/**
 * Fields named in `first` come first, as they are, or with each line marked (`-old`, `+new`). All others follow by name, none is
 * left out.
 */
export function inputText(input: Json, first: readonly string[]): string {
  const leading = first.map(fieldOf).filter(({ name }) => name in input);
  const named = new Set(leading.map(({ name }) => name));
  const others = Object.keys(input).filter((name) => !named.has(name));
  return [
    ...leading.map(({ name, mark }) => marked(asText(input[name]), mark)),
    ...others.map((name) => namedField(name, input[name])),
  ].join("\n");
}

function fieldOf(entry: string): { readonly name: string; readonly mark: string } {
  const mark = entry.startsWith("-") || entry.startsWith("+") ? entry.slice(0, 1) : "";
  return { name: entry.slice(mark.length), mark };
}

function marked(text: string, mark: string): string {
  return mark === ""
    ? text
    : text
        .split("\n")
        .map((line) => `${mark}${line}`)
        .join("\n");
}

function namedField(name: string, value: unknown): string {
  const text = asText(value);
  return text.includes("\n") ? `${name}:\n${text}` : `${name}: ${text}`;
}

/** Of any value, on several lines where that can be read; a huge or deep value is as whole on one. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  const compact = JSON.stringify(value);
  const isReadable = compact.length <= LAID_OUT_LENGTH_MAX && isWithin(value, LAID_OUT_DEPTH_MAX);
  return isReadable ? JSON.stringify(value, null, 2) : compact;
}

function isWithin(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== "object") return true;
  return depth > 0 && Object.values(value).every((inner) => isWithin(inner, depth - 1));
}
