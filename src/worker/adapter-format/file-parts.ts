/** What keys of an adapter file hold, whatever their section. */
import * as v from "valibot";
import { findPatternProblem } from "./pattern.js";

/** One line of text: a name, a label, words. */
export const line = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

/** Fields from the outside in: `event.delta.text`. */
export const path = v.pipe(
  v.string(),
  v.regex(/^[\w-]{1,64}(?:\.[\w-]{1,64}){0,7}$/, "expected names joined by dots"),
);

/** Refused while the file is read if it could take long. */
export const pattern = v.pipe(
  v.string(),
  v.minLength(1),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? findPatternProblem(dataset.value) : null;
    if (problem) addIssue({ message: problem, expected: `a linear pattern (${problem})` });
  }),
);

/** A page of the web. */
export const webAddress = v.pipe(v.string(), v.regex(/^https?:\/\/\S{1,500}$/, "expected a web address"));

export const ms = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000));

/** Where below the checked value a problem is. */
export function buildPath(first: string | number, ...others: readonly (string | number)[]): IssuePath {
  return [createPathItem(first), ...others.map(createPathItem)];
}

type IssuePath = [v.UnknownPathItem, ...v.UnknownPathItem[]];

/** Only the key of a step is read. */
function createPathItem(key: string | number): v.UnknownPathItem {
  return { type: "unknown", origin: "value", input: undefined, key, value: undefined };
}
