/** The situations of codex. */
import { commands } from "./commands.js";
import { edits } from "./edits.js";
import { mcp } from "./mcp.js";
import { menus } from "./menus.js";
import type { CodexSituation } from "./moves.js";
import { questions } from "./questions.js";
import { silences } from "./silent.js";
import { startup } from "./startup.js";

export const situations: readonly CodexSituation[] = [
  ...startup,
  ...commands,
  ...edits,
  ...mcp,
  ...questions,
  ...silences,
  ...menus,
];
