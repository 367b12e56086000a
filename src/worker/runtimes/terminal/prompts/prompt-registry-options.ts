/** What the registry of a terminal's prompts is given. */
import type { Clock } from "../../../../model/clock.js";
import type { PromptEvent, PromptSource } from "../../../../model/prompt.js";
import type { AdapterEvent } from "../../../../sdk/adapter.js";
import type { LiveDetector } from "../../../detection/live/live-detector.js";
import type { StampedPrompt } from "../../../detection/stamp.js";
import type { EventQueue } from "../../../prompts/event-queue.js";
import type { TypedKeys } from "./typed-keys.js";

export interface PromptRegistryOptions {
  readonly clock: Clock;
  readonly events: EventQueue<AdapterEvent>;
  readonly stamp: (question: StampedPrompt, epoch: number, source: PromptSource) => PromptEvent;
  readonly foregroundGroup: () => number | null;
  readonly signals: { readonly provenReaders: readonly string[] | null };
  readonly detector: Pick<LiveDetector, "onReplyUnsettled" | "onRequestSettled">;
  readonly typedKeys: Pick<TypedKeys, "hasAnswered">;
}
