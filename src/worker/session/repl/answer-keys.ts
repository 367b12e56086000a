/** Lets the person at the terminal answer the prompt of a tool that is used over a protocol. */
import type { Clock } from "../../../model/clock.js";
import type { PromptId } from "../../../model/ids.js";
import type { PromptEvent } from "../../../model/prompt.js";
import type { Rejection } from "../../../model/answer/rejection.js";

/** A key that was meant for something else must not answer a prompt that has just appeared, nor may a key among other keys. */
const TOO_SOON_MS = 400;
/** At most as many choices as there are digit keys. */
const KEY_CHOICES_MAX = 9;

const CTRL_C = "\u0003";

/** Counts how often Ctrl-C was pressed in one read. */
export function countInterrupts(keys: string): number {
  return keys.split(CTRL_C).length - 1;
}

export interface PromptingTool {
  /** The oldest open prompt, which keys answer. */
  readonly currentPrompt: PromptEvent | null;
  answerHere(promptId: PromptId, value: string): Rejection | null;
  /** Calls `listener` when a prompt came or went. */
  onPromptChange(listener: () => void): void;
}

export interface AnswerKeysOptions {
  readonly tool: PromptingTool;
  readonly clock: Clock;
  /** Shows why an answer was refused, on a line of its own. */
  readonly say: (text: string) => void;
}

/** A prompt with few choices is answered by one key, any other on the input line. */
export class AnswerKeys {
  readonly #options: AnswerKeysOptions;
  #promptId: PromptId | null = null;
  #shownAt = 0;
  /** When a key was pressed that answers nothing: then somebody is writing. */
  #strayAt = -Infinity;

  constructor(options: AnswerKeysOptions) {
    this.#options = options;
  }

  /** Starts to track the age of prompts. `changed` is called when one came or went. */
  start(changed: () => void): void {
    const { tool, clock } = this.#options;
    tool.onPromptChange(() => {
      const { promptId } = tool.currentPrompt ?? { promptId: null };
      if (promptId !== this.#promptId) this.#shownAt = clock.monotonic();
      this.#promptId = promptId;
      changed();
    });
  }

  /** How the open prompt is answered; null: there is none. */
  get inputMode(): "key" | "line" | null {
    const { currentPrompt } = this.#options.tool;
    if (!currentPrompt) return null;
    const { choices, promptType, constraints } = currentPrompt;
    const isOneOfFew = promptType === "multiple_choice" && constraints.multi !== true;
    return isOneOfFew && choices.length <= KEY_CHOICES_MAX ? "key" : "line";
  }

  press(key: string): void {
    const now = this.#options.clock.monotonic();
    const isHasty = now - Math.max(this.#shownAt, this.#strayAt) < TOO_SOON_MS;
    if (!/^[1-9]$/.test(key)) this.#strayAt = now;
    else if (!isHasty) this.take(key);
  }

  /** Answers the open prompt; does nothing without one. */
  take(value: string): void {
    const { tool, say } = this.#options;
    const refused = tool.currentPrompt && tool.answerHere(tool.currentPrompt.promptId, value);
    if (!refused) return;
    say(refused.text);
    // A key that was already on its way cannot be a reaction to what was shown just now.
    if (refused.code === "hidden") this.#shownAt = this.#options.clock.monotonic();
  }
}
