/** Validates a message part with its schema and describes the problem without repeating content (screen or reply text). */
import * as v from "valibot";
import { quoteName } from "./rpc.js";

export type Checked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** `what` names the part in the problem: `params`, `result`. Never throws. */
export function check<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  what: string,
): Checked<v.InferOutput<S>> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return { ok: true, value: result.output };
  return { ok: false, problem: describe(result.issues[0], what) };
}

function describe(issue: v.BaseIssue<unknown>, what: string): string {
  const place = [what, ...(issue.path ?? []).map((item) => String(item.key))].map(namePart).join(".");
  if (issue.expected === "never") return `${place}: unknown field`;
  if (issue.input === undefined) return `${place}: missing`;
  return `${place}: expected ${issue.expected ?? issue.type}, found ${describeKind(issue.input)}`;
}

function namePart(name: string): string {
  return /^[A-Za-z0-9_]{1,40}$/.test(name) ? name : quoteName(name);
}

function describeKind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "string" ? `a text of ${value.length} characters` : `a ${typeof value}`;
}
