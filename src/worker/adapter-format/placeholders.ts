/**
 * Texts of an adapter file with placeholders in braces, filled in for each run. An unknown name is an error, because it would
 * silently stay in the text.
 */
import * as v from "valibot";
import { findNearest } from "../../model/data/nearest.js";
import { line } from "./file-parts.js";

/** Wider than the known placeholders, so that `{ tools }` and `{file-path}` are found, too. JSON does not match. */
const PLACEHOLDER = /\{ ?[\w-]{1,64} ?\}/g;
/** A field of what a tool sends. */
const FIELD = /^\{\w{1,64}\}$/;

const argument = v.pipe(v.string(), v.minLength(1), v.maxLength(1000));

/** Text whose only placeholders are `known`. */
function allowOnly<S extends v.GenericSchema<string, string>>(text: S, known: readonly string[]) {
  return v.pipe(
    text,
    v.rawCheck<string>(({ dataset, addIssue }) => {
      const strange = dataset.typed ? findUnknown(dataset.value, known) : undefined;
      if (strange !== undefined) addIssue({ message: describeUnknown(strange, known), received: "" });
    }),
  );
}

function findUnknown(text: string, known: readonly string[]): string | undefined {
  return listPlaceholders(text).find((each) => !known.includes(each));
}

function listPlaceholders(text: string): readonly string[] {
  return text.match(PLACEHOLDER) ?? [];
}

function describeUnknown(found: string, known: readonly string[]): string {
  const meant = findNearest(found, known);
  const help = meant ? `did you mean "${meant}"?` : `known here: ${known.join(", ") || "none"}`;
  return `unknown placeholder "${found}"; ${help}`;
}

/** Arguments as they stand. */
export const args = v.array(allowOnly(argument, []));

/** Arguments that bring `own`, and so must name it. `alone`: several arguments take the place of one. `why` is said where it is missing. */
export function requireInArgs(own: string, { alone = false, why = "" } = {}) {
  return v.pipe(
    v.array(allowOnly(argument, [own])),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed || dataset.issues) return;
      if (dataset.value.some((arg) => (alone ? arg === own : arg.includes(own)))) return;
      const expected = alone ? `${own} as an argument of its own` : `${own} in one of the arguments`;
      addIssue({ expected: expected + why, received: JSON.stringify(dataset.value) });
    }),
  );
}

/** Words for people that may name `known`. */
export function allowInWords(known: string, lengthMax: number) {
  return allowOnly(v.pipe(v.string(), v.minLength(1), v.maxLength(lengthMax)), [known]);
}

/** A line made of fields, at least one: without any it would be the same for all calls. */
export const fieldsLine = v.pipe(
  line,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const found = listPlaceholders(dataset.value);
    const strange = found.find((each) => !FIELD.test(each));
    if (found.length === 0) addIssue({ expected: "a field of the call in braces, such as {command}" });
    else if (strange !== undefined)
      addIssue({
        expected: "the names of fields in braces, in letters, digits and _",
        received: JSON.stringify(strange),
      });
  }),
);

/** The problem of a line made of fields, if only `known` exist; null if there is none. */
export function findFieldProblem(text: string, known: readonly string[]): string | null {
  const strange = findUnknown(text, known);
  return strange === undefined ? null : describeUnknown(strange, known);
}
