/** The options of the registry of a terminal's prompts. */
import type { Clock } from "../../../../model/clock.js";
import type { AdapterEvent } from "../../../../sdk/adapter.js";
import type { LiveDetector } from "../../../detection/live/live-detector.js";
import type { EventQueue } from "../../../prompts/event-queue.js";
import type { StampQuestion } from "../../../prompts/stamp-question.js";
import type { TypedKeys } from "./typed-keys.js";

export interface PromptRegistryOptions {
  readonly clock: Clock;
  readonly events: EventQueue<AdapterEvent>;
  readonly stamp: StampQuestion;
  readonly foregroundGroup: () => number | null;
  readonly signals: { readonly provenReaders: readonly string[] | null };
  readonly detector: Pick<LiveDetector, "onReplyUnsettled" | "onRequestSettled">;
  readonly typedKeys: Pick<TypedKeys, "hasAnswered">;
}
