/** The options of the registry of a terminal's prompts. */
import type { Clock } from "../../../../model/clock.js";
import type { AdapterEvent } from "../../../../sdk/adapter.js";
import type { LiveDetector } from "../../../detection/live/live-detector.js";
import type { EventQueue } from "../../../../observe/event-queue.js";
import type { StampPrompt } from "../../../prompts/stamp-prompt.js";
import type { ReadingWatch } from "./reading-watch.js";
import type { TypedKeys } from "./typed-keys.js";

export interface PromptRegistryOptions {
  readonly clock: Clock;
  readonly events: EventQueue<AdapterEvent>;
  readonly stamp: StampPrompt;
  readonly foregroundGroup: () => number | null;
  readonly signals: { readonly provenReaders: readonly string[] | null };
  readonly detector: Pick<LiveDetector, "onReplySettled" | "onReplyUnsettled" | "onRequestSettled">;
  readonly typedKeys: Pick<TypedKeys, "hasAnswered">;
  /** Compares requests with their dialogs. */
  readonly readings: Pick<ReadingWatch, "update" | "stop">;
}
