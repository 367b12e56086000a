import type { Situation } from "../situation.js";
import { calls } from "./calls.js";
import { questions } from "./questions.js";
import { silences } from "./silent.js";

export const situations: readonly Situation[] = [...calls, ...questions, ...silences];
