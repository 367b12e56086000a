/** The situations of opencode. */
import { calls } from "./calls.js";
import type { OpencodeSituation } from "./moves.js";
import { questions } from "./questions.js";
import { silences } from "./silent.js";

export const situations: readonly OpencodeSituation[] = [...calls, ...questions, ...silences];
