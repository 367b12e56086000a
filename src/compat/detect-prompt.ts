/** `detect_prompt` of adapter spec §2: rules on a rolling buffer, each prompt once. */
import type { Fingerprint } from "../model/ids.js";
import type { PromptEvent } from "../model/prompt.js";
import type { Candidate } from "../sdk/candidate.js";
import type { CompiledAdapter } from "../worker/adapter-format/compiled/compiled.js";
import { detect } from "../worker/detection/detect.js";
import { stamp, type StampOptions } from "../worker/detection/stamp.js";
import { Screen } from "../worker/screen/screen.js";

/** The adapter spec's screen and rolling buffer. */
const BUFFER_SCREEN = { cols: 80, rows: 24 };
const BUFFER_BYTES_MAX = 4096;

/** Finds the prompts of one session in its rolling buffer. Never gives the same prompt twice. */
export class BufferDetector {
  readonly #adapter: CompiledAdapter;
  readonly #options: StampOptions;
  #queue: Promise<unknown> = Promise.resolve();
  /** The prompt that stands at the end of the buffer. */
  #standing: Fingerprint | null = null;
  /** How many prompts stood before it: the same words later are another prompt, with another key. */
  #epoch = 0;
  #seen: Uint8Array = new Uint8Array();
  #answered: Uint8Array | null = null;

  constructor(adapter: CompiledAdapter, options: StampOptions) {
    this.#adapter = adapter;
    this.#options = options;
  }

  /**
   * Null if the last 4,096 bytes contain no prompt, or only one that an earlier call has returned. Calls are processed in order.
   */
  detect(buffer: Uint8Array): Promise<PromptEvent | null> {
    const bytes = buffer.slice(-BUFFER_BYTES_MAX);
    const found = this.#queue.then(() => this.#detect(bytes));
    this.#queue = found.catch(() => undefined);
    return found;
  }

  get isAsking(): boolean {
    return this.#standing !== null;
  }

  /** Call when the open prompt was answered: the tool may ask the same again. The present buffer still shows that prompt. */
  noteAnswered(): void {
    this.#answered = this.#seen;
  }

  async #detect(bytes: Uint8Array): Promise<PromptEvent | null> {
    const isUnchanged = this.#answered !== null && Buffer.compare(this.#answered, bytes) === 0;
    if (this.#answered !== null && !isUnchanged) {
      this.#answered = null;
      this.#standing = null;
    }
    this.#seen = bytes;
    const candidate = await findCandidate(this.#adapter, bytes);
    const fingerprint = candidate?.fingerprint ?? null;
    if (isUnchanged || fingerprint === this.#standing) return null;
    this.#standing = fingerprint;
    if (candidate === null) return null;
    return stamp(candidate, this.#epoch++, this.#options);
  }
}

async function findCandidate(adapter: CompiledAdapter, bytes: Uint8Array): Promise<Candidate | null> {
  const screen = new Screen(BUFFER_SCREEN);
  try {
    screen.write(bytes);
    await screen.flushed();
    const { candidate } = detect(adapter, screen.view(), {});
    // What no rule reads counts only after a while (`unrecognized-screen.ts`), and a buffer has no time.
    if (!candidate || candidate.safetyClass === "user_menu" || candidate.promptType === "unknown")
      return null;
    return candidate;
  } finally {
    screen.dispose();
  }
}
