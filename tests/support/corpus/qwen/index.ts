import type { Situation } from "../situation.js";
import { calls } from "./calls.js";
import { menus } from "./menus.js";
import { questions } from "./questions.js";
import { silences } from "./silent.js";
import { startup } from "./startup.js";

export const situations: readonly Situation[] = [...startup, ...calls, ...questions, ...silences, ...menus];
