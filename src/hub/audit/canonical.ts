/**
 * Serializes a value to one unique byte sequence (sorted keys, no whitespace), so that its hash does not depend on who built
 * the object.
 */
import { invariant } from "../../model/errors.js";

/** Returns JSON with sorted keys and without `undefined` members. Throws InvariantError for values that JSON cannot express. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value !== null && typeof value === "object") return canonicalObject(value);
  invariant(typeof value !== "number" || Number.isFinite(value), "a number without JSON form");
  const text = JSON.stringify(value) as string | undefined;
  invariant(text !== undefined, "a value without JSON form");
  return text;
}

function canonicalObject(value: object): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
