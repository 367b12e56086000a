/** What the person at the host's terminal types: passed on at once, held back while an answer is put in, and remembered. */
import type { Clock } from "../../../../model/clock.js";
import { commits, mayAnswer } from "../../../detection/keys.js";
import type { OpenPrompt } from "./open-prompt.js";
import type { PromptRegistry } from "./prompt-registry.js";

export interface LocalKeysOptions {
  readonly clock: Clock;
  readonly prompts: Pick<PromptRegistry, "asked" | "answering">;
  /** A person's keys, just before they go to the tool. */
  readonly onTyped: (bytes: Uint8Array) => void;
  /** A person clicks, just before that goes to the tool. */
  readonly onClicked: () => void;
  readonly write: (bytes: Uint8Array) => void;
}

const ENTER = "\r";
/** A tool drops its hook call within milliseconds after an answer was typed at its dialog; on a loaded machine a second or two. */
const AT_DIALOG_WITHIN_MS = 2000;
/** That a call is over without a word is noticed two seconds later (`CallWatch`). */
const AT_CALL_WITHIN_MS = 5000;

interface Held {
  readonly bytes: Uint8Array;
  readonly typed: boolean;
}

export class LocalKeys {
  readonly #options: LocalKeysOptions;
  #typedAt = -Infinity;
  /** As `#typedAt`, of what may have been an answer. */
  #actedAt = -Infinity;
  #committed: OpenPrompt | null = null;
  #committedAt = -Infinity;
  #held: Held[] | null = null;

  constructor(options: LocalKeysOptions) {
    this.#options = options;
  }

  /** When a person last typed, on the monotonic clock; also keys that are held back. */
  get typedAt(): number {
    return this.#typedAt;
  }

  /** The last prompt at which a key that answers was typed here. */
  get committed(): OpenPrompt | null {
    return this.#committed;
  }

  /** An answer to this prompt was typed within the last so many ms. */
  hasCommitted(asked: OpenPrompt, withinMs: number): boolean {
    return this.#committed === asked && this.#options.clock.monotonic() - this.#committedAt <= withinMs;
  }

  /**
   * An answer to this prompt was typed a moment ago. On a busy machine a person may answer a dialog before it is found: all that is
   * known of it then is its call, and any key or click may have been the answer; so may it be where the tool says that it `isOver`.
   */
  hasAnswered(asked: OpenPrompt, isOver = false): boolean {
    if (asked.line.drawn !== null && !isOver) return this.hasCommitted(asked, AT_DIALOG_WITHIN_MS);
    return this.#options.clock.monotonic() - this.#actedAt <= AT_CALL_WITHIN_MS;
  }

  /** Bytes from the host; `typed` when a person is behind them. Mouse reports are held back, too: hovering moves highlights. */
  take(bytes: Uint8Array, typed: boolean): void {
    const now = this.#options.clock.monotonic();
    if (typed) this.#typedAt = now;
    if (mayAnswer(bytes, typed)) this.#actedAt = now;
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

  #pass({ bytes, typed }: Held): void {
    if (typed) this.#note(bytes);
    else if (mayAnswer(bytes, false)) this.#options.onClicked();
    this.#options.write(bytes);
  }

  #note(bytes: Uint8Array): void {
    const { asked } = this.#options.prompts;
    if (asked && commits(bytes, asked.committingKeys)) {
      this.#committed = asked;
      this.#committedAt = this.#options.clock.monotonic();
    }
    this.#options.onTyped(bytes);
  }
}
