/** What keys of an adapter file hold, whatever their section. */
import * as v from "valibot";
import { patternProblem } from "./pattern.js";

/** One line of text: a name, a label, words. */
export const line = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

/** Refused while the file is read if it could take long. */
export const pattern = v.pipe(
  v.string(),
  v.minLength(1),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? patternProblem(dataset.value) : null;
    if (problem) addIssue({ message: problem, expected: `a linear pattern (${problem})` });
  }),
);
