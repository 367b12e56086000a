import type { Situation } from "../situation.js";
import { calls } from "./calls.js";
import { edits } from "./edits.js";
import { menus } from "./menus.js";
import { questions } from "./questions.js";
import { silences } from "./silent.js";
import { startup } from "./startup.js";

export const situations: readonly Situation[] = [
  ...startup,
  ...calls,
  ...edits,
  ...questions,
  ...silences,
  ...menus,
];
