/** What the person at the host's terminal types: passed on at once, and held back while an answer is put in. */
import { commits, mayAnswerDialog } from "../../../detection/keys.js";
import type { LiveDetector } from "../../../detection/live/live-detector.js";
import type { Terminal } from "../../../process/terminal.js";
import type { ToolSignals } from "../../../signals/tool-signals.js";
import type { RecordingTail } from "../recording-tail.js";
import type { PromptRegistry } from "./prompt-registry.js";
import type { TypedKeys } from "./typed-keys.js";

export interface LocalKeysOptions {
  readonly prompts: Pick<PromptRegistry, "asked" | "answering">;
  readonly typedKeys: TypedKeys;
  readonly signals: Pick<ToolSignals, "onKeys">;
  readonly recording: Pick<RecordingTail, "typed">;
  readonly detector: Pick<LiveDetector, "onTyped" | "onClicked">;
  readonly terminal: Pick<Terminal, "write">;
}

const ENTER = "\r";

interface Held {
  readonly bytes: Uint8Array;
  readonly typed: boolean;
}

export class LocalKeys {
  readonly #options: LocalKeysOptions;
  #held: Held[] | null = null;

  constructor(options: LocalKeysOptions) {
    this.#options = options;
  }

  /** Bytes from the host; `typed` when a person is behind them. Mouse reports are held back, too: hovering moves highlights. */
  take(bytes: Uint8Array, typed: boolean): void {
    this.#options.typedKeys.arrived(bytes, typed);
    if (this.#held) this.#held.push({ bytes, typed });
    else this.#pass({ bytes, typed });
  }

  hold(): void {
    this.#held ??= [];
  }

  /** `touched`: keys of ours changed the picture that the held ones were typed at. */
  release(touched: boolean): void {
    const held = this.#held ?? [];
    this.#held = null;
    if (!this.#aimedElsewhere(held, touched)) for (const item of held) this.#pass(item);
  }

  /** Keys that would answer, typed at a picture that is no more, are dropped with all that came with them. */
  #aimedElsewhere(held: readonly Held[], touched: boolean): boolean {
    const { answering, asked } = this.#options.prompts;
    // Our text stands in an input box, and Enter was typed before it could be seen.
    if (!answering) return touched && held.some(({ bytes, typed }) => typed && commits(bytes, [ENTER]));
    if (asked === answering && !touched) return false;
    return held.some(({ bytes, typed }) => typed && commits(bytes, answering.committingKeys));
  }

  /** Whoever must know of a key is told before the key can have an effect. */
  #pass({ bytes, typed }: Held): void {
    const { prompts, typedKeys, signals, recording, detector, terminal } = this.#options;
    if (typed) {
      typedKeys.passed(bytes, prompts.asked);
      signals.onKeys();
      recording.typed(bytes);
      detector.onTyped(bytes);
    } else if (mayAnswerDialog(bytes, false)) detector.onClicked();
    void terminal.write(bytes);
  }
}
