import { systemClock } from "../observe/clock.js";
import { systemRandom } from "../observe/random.js";
import type { SessionId } from "../model/ids.js";
import type { PromptEvent } from "../model/prompt.js";
import { sanitizeText } from "../safety/safe-text.js";

/** `detect_prompt` of adapter spec §2 for one session: it remembers the prompt that it found last. */
export interface PromptDetector {
  /** See `detectPrompt` of an adapter. Calls are processed in order. */
  detect(buffer: Uint8Array): Promise<PromptEvent | null>;
  /** Whether the last buffer ended with a prompt. If not, the tool has gone on, and what it asked before cannot be answered any more. */
  readonly isAsking: boolean;
  /** To be called when the open prompt was answered: from the next output on, the tool may ask the same again. */
  noteAnswered(): void;
}

/** `adaptersDir`: a folder with adapter files of your own, which count before those of the package; absent: only the package's. */
export interface DetectorOptions {
  readonly sessionId: SessionId;
  readonly adaptersDir?: string;
}

/**
 * Opens a detector with the rules of an adapter file, by its name; `generic` is for a tool without a file. Texts in its events are
 * redacted. Errors: AtlasBridgeError ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID.
 */
export async function openDetector(
  adapter: string,
  { sessionId, adaptersDir }: DetectorOptions,
): Promise<PromptDetector> {
  // Loaded late: most users of the SDK need no terminal emulator.
  const { getPackagePlace, loadAdapter } = await import("../plugins/adapters/adapters.js");
  const { BufferDetector } = await import("./detect-prompt.js");
  const rules = await loadAdapter(adapter, adaptersDir === undefined ? getPackagePlace() : { adaptersDir });
  return new BufferDetector(rules, {
    sessionId,
    random: systemRandom,
    clock: systemClock,
    safeText: sanitizeText,
  });
}
