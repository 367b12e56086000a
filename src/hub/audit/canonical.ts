/** One byte sequence for one value: sorted keys, no blanks. What is hashed must not depend on who built the object. */
import { invariant } from "../../model/errors.js";

/** JSON with sorted keys; `undefined` members are left out. Throws InvariantError on what JSON cannot say. */
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
