/** Open prompts, as the hub knows them. */
import type { PromptEvent } from "../../../../model/prompt.js";
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
