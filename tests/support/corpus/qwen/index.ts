/** The situations of qwen. */
import { calls } from "./calls.js";
import { menus } from "./menus.js";
import type { QwenSituation } from "./moves.js";
import { questions } from "./questions.js";
import { silences } from "./silent.js";
import { startup } from "./startup.js";

export const situations: readonly QwenSituation[] = [
  ...startup,
  ...calls,
  ...questions,
  ...silences,
  ...menus,
];
