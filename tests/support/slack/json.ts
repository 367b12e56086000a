/** Looking into JSON of unknown shape. */
import { Refusal } from "./refusal.js";

export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function readText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A member of a member, or undefined. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isJson(inner) ? inner[key] : undefined), value);
}

/** Structured arguments travel as JSON inside a form. */
export function parseJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new Refusal("invalid_arguments");
  }
}
