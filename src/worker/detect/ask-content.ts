/** The input of a call as text that people can judge: all of it, the important fields first. Pure. */
import type { Json } from "./json.js";

/**
 * Fields named in `first` come first, as they are, or with each line marked (`-old`, `+new`). All others follow by name, none is
 * left out.
 */
export function inputText(input: Json, first: readonly string[]): string {
  const leading = first.map(fieldOf).filter(({ name }) => name in input);
  const named = new Set(leading.map(({ name }) => name));
  const others = Object.keys(input).filter((name) => !named.has(name));
  return [
    ...leading.map(({ name, mark }) => marked(plain(input[name]), mark)),
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
  const text = plain(value);
  return text.includes("\n") ? `${name}:\n${text}` : `${name}: ${text}`;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
