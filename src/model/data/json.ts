/** Reads untrusted JSON: a value of an unexpected type counts as missing. */
import { isCostlyJson } from "./json-cost.js";

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** A value that is no object counts as one without fields. */
export function toObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The value at a dotted path; undefined if there is none. */
export function getAtPath(path: string, value: unknown): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      value,
    );
}

/** Null for text that is no JSON, and for one with more values than JSON_VALUES_MAX. Pure. */
export function parseJson(text: string): unknown {
  if (isCostlyJson(text)) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** As `parseJson`; null for JSON that is no object, too. */
export function parseObject(text: string): Json | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}
