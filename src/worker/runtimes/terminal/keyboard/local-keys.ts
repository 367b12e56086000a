/** Forwards what the person at the host's terminal types: at once, or, while an answer is injected, after it. */
import { hasCommittingKey, mayAnswerDialog } from "../../../detection/keys.js";
import type { LiveDetector } from "../../../detection/live/live-detector.js";
import type { Terminal } from "../../../process/terminal.js";
import type { ToolSignals } from "../../../signals/tool-signals.js";
import type { RecordingTail } from "../recording-tail.js";
import type { JoinedPrompts } from "../joined/joined-prompts.js";
import type { TypedKeys } from "./typed-keys.js";

export interface LocalKeysOptions {
  readonly prompts: Pick<JoinedPrompts, "drawnPrompt" | "promptBeingAnswered">;
  readonly typedKeys: TypedKeys;
  readonly signals: Pick<ToolSignals, "onKeys">;
  readonly recording: Pick<RecordingTail, "onTyped">;
  readonly detector: Pick<LiveDetector, "onTyped" | "onClicked">;
  readonly terminal: Pick<Terminal, "write" | "readInputMode">;
}

const ENTER = "\r";

interface HeldKeys {
  readonly bytes: Uint8Array;
  readonly typed: boolean;
}

export class LocalKeys {
  readonly #options: LocalKeysOptions;
  #held: HeldKeys[] | null = null;

  constructor(options: LocalKeysOptions) {
    this.#options = options;
  }

  take(bytes: Uint8Array, typed: boolean): void {
    this.#options.typedKeys.noteArrival(bytes, typed);
    if (this.#held) this.#held.push({ bytes, typed });
    else this.#forward({ bytes, typed });
  }

  hold(): void {
    this.#held ??= [];
  }

  /** Forwards the held keys. `touched`: our keys have changed the picture at which they were typed. */
  release(touched: boolean): void {
    const held = this.#held ?? [];
    this.#held = null;
    if (!this.#areAimedElsewhere(held, touched)) for (const item of held) this.#forward(item);
  }

  /** Keys that would answer, but were typed at a picture that is gone, are dropped with everything that came with them. */
  #areAimedElsewhere(held: readonly HeldKeys[], touched: boolean): boolean {
    const { promptBeingAnswered, drawnPrompt } = this.#options.prompts;
    // Our text is in an input box, and Enter was typed before it could be seen.
    if (!promptBeingAnswered)
      return touched && held.some(({ bytes, typed }) => typed && hasCommittingKey(bytes, [ENTER]));
    if (drawnPrompt === promptBeingAnswered && !touched) return false;
    const keys = promptBeingAnswered.drawn?.candidate.committingKeys ?? [];
    return held.some(({ bytes, typed }) => typed && hasCommittingKey(bytes, keys));
  }

  #forward({ bytes, typed }: HeldKeys): void {
    const { prompts, typedKeys, signals, recording, detector, terminal } = this.#options;
    if (typed) {
      typedKeys.noteForwarded(bytes, prompts.drawnPrompt);
      signals.onKeys();
      recording.onTyped(bytes);
      detector.onTyped(bytes, terminal.readInputMode()?.canonical);
    } else if (mayAnswerDialog(bytes, false)) detector.onClicked();
    void terminal.write(bytes);
  }
}
