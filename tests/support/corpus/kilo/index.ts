/** The situations of kilo: those of opencode, from which it descends, that both draw alike. */
import { situations as opencodeSituations } from "../opencode/index.js";
import type { Situation } from "../situation.js";

const TAKEN = [
  ...["bash", "bash-moved", "bash-answered", "bash-long", "always", "edit", "write", "fetch", "outside"],
  ...["choose", "choose-answered", "own-answer", "questions-second", "questions-review", "features", "task"],
  ...["no-prompt-idle", "no-prompt-streaming", "no-prompt-lookalikes-done", "no-prompt-prose-question"],
  ...["no-prompt-palette", "no-prompt-todo"],
];

export const situations: readonly Situation[] = opencodeSituations.filter(({ name }) => TAKEN.includes(name));
