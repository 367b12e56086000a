/** Somebody far away wants a question again whose card is settled: the live screen decides whether there is one. */
import type { Fingerprint, PromptId } from "../../../../model/ids.js";
import type { ReaskResult } from "../../../../sdk/adapter.js";
import type { LiveDetector } from "../../../detection/live/live-detector.js";
import type { OpenPrompt } from "./open-prompt.js";
import type { PromptRegistry } from "./prompt-registry.js";

export interface AgainParts {
  readonly prompts: Pick<
    PromptRegistry,
    "find" | "answering" | "isAsked" | "isAsking" | "waiting" | "askAnew"
  >;
  readonly detector: Pick<LiveDetector, "candidateNow" | "isCurrent" | "isStale" | "onReplyUnsettled">;
}

export function askAgain(
  { prompts, detector }: AgainParts,
  promptId: PromptId,
  fingerprint: Fingerprint,
): ReaskResult {
  const asked = prompts.find(promptId);
  // While it is being answered nobody needs to be asked.
  if (asked && asked === prompts.answering) return "already";
  if (asked) return stands(asked, { prompts, detector }) ? (prompts.askAnew(asked), "anew") : "gone";
  if (prompts.isAsked(fingerprint)) return "already";
  if (prompts.isAsking || detector.candidateNow()?.fingerprint !== fingerprint) return "gone";
  // Nobody was told of what is drawn there.
  detector.onReplyUnsettled();
  return "anew";
}

function stands(asked: OpenPrompt, { prompts, detector }: AgainParts): boolean {
  const { drawn } = asked.entry;
  if (prompts.waiting(asked)) return true;
  if (drawn === null || detector.candidateNow() === null) return false;
  return detector.isCurrent(drawn.epoch) || detector.isStale(drawn.epoch);
}
