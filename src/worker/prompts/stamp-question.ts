/** Stamps what a protocol's request asks: the source is certain, and named after the request. */
import type { PromptEvent } from "../../model/prompt.js";
import { stamp, type StampedPrompt, type StampOptions } from "../detection/stamp.js";

export type StampQuestion = (question: StampedPrompt, epoch: number) => PromptEvent;

export function questionStamper({
  sessionId,
  random,
  clock,
  redact,
}: Pick<StampOptions, "sessionId" | "random" | "clock" | "redact">): StampQuestion {
  return (question, epoch) => {
    const source = { kind: "protocol" as const, name: question.rule };
    return stamp(question, epoch, { sessionId, random, clock, redact, source });
  };
}
