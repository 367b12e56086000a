/** The situations of gemini. */
import { calls } from "./calls.js";
import { edits } from "./edits.js";
import { menus } from "./menus.js";
import type { GeminiSituation } from "./moves.js";
import { questions } from "./questions.js";
import { silences } from "./silent.js";
import { startup } from "./startup.js";

export const situations: readonly GeminiSituation[] = [
  ...startup,
  ...calls,
  ...edits,
  ...questions,
  ...silences,
  ...menus,
];
