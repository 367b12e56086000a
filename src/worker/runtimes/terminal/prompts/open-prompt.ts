/** Open prompts, as the hub knows them. */
import { assertInvariant } from "../../../../model/errors.js";
import type { PromptEvent, PromptSource } from "../../../../model/prompt.js";
import type { StampedPrompt } from "../../../detection/stamp.js";
import { getSource } from "../../../prompts/pending-request.js";
import type { RegistryEntry } from "./prompt-state.js";

/** A prompt that the hub knows of. */
export interface OpenPrompt {
  readonly event: PromptEvent;
  /** Its sources as they are now. */
  readonly entry: RegistryEntry;
  /** When it was raised, in monotonic ms. */
  readonly askedAt: number;
  /** Foreground process group when its dialog was found; null without a dialog, or where it cannot be seen. */
  readonly foregroundGroup: number | null;
  /** Ids of the processes that were proved to read for it when its dialog was found; null where that was not proved. */
  readonly provenReaders: readonly string[] | null;
  /** Keys that answer it at the keyboard. */
  readonly committingKeys: readonly string[];
  /** Monotonic ms from which on the tool accepts keys for it. */
  readonly acceptsKeysAt: number;
}

export class Prompt implements OpenPrompt {
  readonly event: PromptEvent;
  readonly askedAt: number;
  entry: RegistryEntry;
  foregroundGroup: number | null = null;
  provenReaders: readonly string[] | null = null;
  acceptsKeysAt = -Infinity;

  constructor(event: PromptEvent, entry: RegistryEntry, askedAt: number) {
    this.event = event;
    this.askedAt = askedAt;
    this.entry = entry;
  }

  get committingKeys(): readonly string[] {
    return this.entry.drawn?.candidate.committingKeys ?? [];
  }
}

/**
 * Reads what people see of an entry, and where that came from. Each request is its own prompt, even if it equals another; its
 * number takes the place of the epoch.
 */
export function readQuestion({ stampedBy, drawn, waiting }: RegistryEntry): {
  readonly question: StampedPrompt;
  readonly epoch: number;
  readonly source: PromptSource;
} {
  if (stampedBy === "request") {
    assertInvariant(waiting, "an entry of a request has none");
    return { question: waiting.request.prompt, epoch: waiting.id, source: getSource(waiting.request) };
  }
  assertInvariant(drawn, "an entry of a dialog has none");
  const { candidate, epoch } = drawn;
  return { question: candidate, epoch, source: { kind: "screen", name: candidate.rule } };
}
