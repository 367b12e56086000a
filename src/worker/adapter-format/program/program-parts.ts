/** Types of values that several sections of a program file share. */
import * as v from "valibot";
import { findPatternProblem } from "../pattern.js";

export const word = v.pipe(v.string(), v.minLength(1), v.maxLength(80));
/** A text that a program is given, a template, or a script's line. */
export const words = v.pipe(v.string(), v.minLength(1), v.maxLength(4000));
/** A script, or a block of text. */
export const script = v.pipe(v.string(), v.minLength(1), v.maxLength(64 * 1024));
/** Bytes as they are written to the terminal: `"\x03"`. */
export const keys = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
export const lineEnding = v.picklist(["\n", "\r", "\r\n"]);
export const wait = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(600_000));

/** A regular expression that reads only what its author's own program has printed in a test. */
export const expectation = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(1000),
  v.check(isExpression, "expected a regular expression"),
);

/**
 * A prompt, as the program draws it. With `^` in front or `$` behind it is a regular expression and has to take linear time,
 * because it reads whatever the program prints. Otherwise it is literal text, in which `(?)` matches a number.
 */
export const promptPattern = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(500),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed && isAnchored(dataset.value) ? findPatternProblem(dataset.value) : null;
    if (problem) addIssue({ message: problem, expected: `a linear pattern (${problem})` });
  }),
);

/** Written as a regular expression, and not as the text itself. */
export function isAnchored(prompt: string): boolean {
  return prompt.startsWith("^") || /[^\\]\$$/.test(prompt);
}

function isExpression(text: string): boolean {
  try {
    new RegExp(text, "msu");
    return true;
  } catch {
    return false;
  }
}

/** A value that the format reserves: refused with its future meaning, so that nobody relies on it. */
export function refuseReserved<const T extends string>(value: T, why: string) {
  return v.pipe(
    v.literal(value),
    v.rawCheck<T>(({ addIssue }) => {
      addIssue({ message: `"${value}" is reserved: ${why}`, received: "" });
    }),
  );
}

/** A time limit that the format reserves: only 0 is allowed. */
export function refuseReservedLimit(why: string) {
  return v.pipe(
    wait,
    v.rawCheck<number>(({ dataset, addIssue }) => {
      if (dataset.typed && dataset.value !== 0)
        addIssue({ message: `reserved, only 0 may stand here: ${why}`, received: "" });
    }),
  );
}
