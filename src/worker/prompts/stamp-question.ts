/** Gives what a tool asks its identity, whichever way it came. */
import type { PromptEvent, PromptSource } from "../../model/prompt.js";
import { stamp, type StampedPrompt, type StampOptions } from "../detection/stamp.js";

export type StampQuestion = (question: StampedPrompt, epoch: number, source: PromptSource) => PromptEvent;

export function questionStamper({
  sessionId,
  random,
  clock,
  redact,
  stoppable = false,
  notesTextAbove = false,
}: Omit<StampOptions, "source">): StampQuestion {
  const options = { sessionId, random, clock, redact, stoppable, notesTextAbove };
  return (question, epoch, source) => stamp(question, epoch, { ...options, source });
}
