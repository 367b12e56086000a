/** A program that has its terminal for itself: nothing that it started reads there. */
import type { TerminalOwner } from "../../../src/worker/runtimes/program/prompt/terminal-owner.js";

export const OWN_TERMINAL: Pick<TerminalOwner, "learn" | "isElsewhere"> = {
  learn: () => undefined,
  isElsewhere: false,
};
