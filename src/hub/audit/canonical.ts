/** Serializes a value to one unique text, so that its hash does not depend on who built the object. */
import { assertInvariant } from "../../model/errors.js";

/** Returns JSON with sorted keys and without `undefined` members. Throws InvariantError for values that JSON cannot express. */
export function formatCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatCanonicalJson).join(",")}]`;
  if (value !== null && typeof value === "object") return formatCanonicalObject(value);
  assertInvariant(typeof value !== "number" || Number.isFinite(value), "a number without JSON form");
  const text = JSON.stringify(value) as string | undefined;
  assertInvariant(text !== undefined, "a value without JSON form");
  return text;
}

function formatCanonicalObject(value: object): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${formatCanonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
