/** Raises a prompt again whose card is closed, at the request of a remote person. The live screen decides whether it is still open. */
import type { Fingerprint, PromptId } from "../../../../model/ids.js";
import type { ReaskResult } from "../../../../sdk/adapter.js";
import type { LiveDetector } from "../../../detection/live/live-detector.js";
import type { OpenPrompt } from "./open-prompt.js";
import type { PromptRegistry } from "./prompt-registry.js";

export interface AskAgainParts {
  readonly prompts: Pick<
    PromptRegistry,
    "find" | "promptBeingAnswered" | "hasPrompt" | "isAsking" | "findWaitingRequest" | "raiseAnew"
  >;
  readonly detector: Pick<
    LiveDetector,
    "detectNow" | "isCurrent" | "isReadable" | "isStale" | "onReplyUnsettled"
  >;
}

export function askAgain(
  { prompts, detector }: AskAgainParts,
  promptId: PromptId,
  fingerprint: Fingerprint,
): ReaskResult {
  // What is not seen is gone only from a screen that can be read, and that the tool is not drawing just now.
  const unseen = detector.isReadable ? "gone" : "unread";
  const prompt = prompts.find(promptId);
  // While it is being answered nobody needs to be asked again.
  if (prompt && prompt === prompts.promptBeingAnswered) return "already";
  if (prompt)
    return isStillAsked(prompt, { prompts, detector }) ? (prompts.raiseAnew(prompt), "anew") : unseen;
  if (prompts.hasPrompt(fingerprint)) return "already";
  if (prompts.isAsking || detector.detectNow()?.fingerprint !== fingerprint) return unseen;
  // The dialog that is drawn there was not reported.
  detector.onReplyUnsettled();
  return "anew";
}

function isStillAsked(prompt: OpenPrompt, { prompts, detector }: AskAgainParts): boolean {
  const { drawn } = prompt.entry;
  if (prompts.findWaitingRequest(prompt)) return true;
  if (drawn === null || detector.detectNow() === null) return false;
  return detector.isCurrent(drawn.epoch) || detector.isStale(drawn.epoch);
}
