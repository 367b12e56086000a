/** A pattern in an adapter file: refused while the file is read if it could take long. */
import * as v from "valibot";
import { patternProblem } from "./pattern.js";

export const pattern = v.pipe(
  v.string(),
  v.minLength(1),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? patternProblem(dataset.value) : null;
    if (problem) addIssue({ message: problem, expected: `a linear pattern (${problem})` });
  }),
);
