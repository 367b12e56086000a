import type { Situation } from "../situation.js";
import { commands } from "./commands.js";
import { elsewhere } from "./elsewhere.js";
import { edits } from "./edits.js";
import { mcp } from "./mcp.js";
import { menus } from "./menus.js";
import { questions } from "./questions.js";
import { silences } from "./silent.js";
import { startup } from "./startup.js";

export const situations: readonly Situation[] = [
  ...startup,
  ...commands,
  ...edits,
  ...elsewhere,
  ...mcp,
  ...questions,
  ...silences,
  ...menus,
];
