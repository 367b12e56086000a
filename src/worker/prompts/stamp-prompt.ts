import type { PromptEvent, PromptSource } from "../../model/prompt.js";
import { stamp, type StampedPrompt, type StampOptions } from "../detection/stamp.js";

export type StampPrompt = (question: StampedPrompt, epoch: number, source: PromptSource) => PromptEvent;

export function createPromptStamper({
  sessionId,
  random,
  clock,
  safeText,
  stoppable = false,
  notesTextAbove = false,
}: Omit<StampOptions, "source">): StampPrompt {
  const options = { sessionId, random, clock, safeText, stoppable, notesTextAbove };
  return (question, epoch, source) => stamp(question, epoch, { ...options, source });
}
