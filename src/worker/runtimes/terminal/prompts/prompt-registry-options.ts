/** What the registry of a terminal's prompts is given. */
import type { Clock } from "../../../../model/clock.js";
import type { PromptEvent, PromptSource } from "../../../../model/prompt.js";
import type { Candidate } from "../../../../sdk/candidate.js";
import type { StampedPrompt } from "../../../detection/stamp.js";
import { type OpenPrompt } from "./open-prompt.js";

export interface PromptRegistryOptions {
  readonly stamp: (question: StampedPrompt, epoch: number, source: PromptSource) => PromptEvent;
  readonly foregroundGroup: () => number | null;
  /** See `OpenPrompt`. */
  readonly provenReaders: () => readonly string[] | null;
  readonly clock: Clock;
  /** What still stands on the screen must be asked anew, in a new epoch. */
  readonly askAnew: () => void;
  /** This dialog's call was answered a moment ago: it is about to close, and asks again only if it still stands then. */
  readonly isClosing: (dialog: Candidate) => void;
  /** An answer was typed at this prompt's dialog a moment ago; or something, where it was not found yet, or the tool says that it is over. */
  readonly isTyped: (asked: OpenPrompt, isOver: boolean) => boolean;
}
