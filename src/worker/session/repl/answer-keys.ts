/** The question of a tool that is talked to, as the person at the terminal answers it. */
import type { Clock } from "../../../model/clock.js";
import type { PromptId } from "../../../model/ids.js";
import type { PromptEvent } from "../../../model/prompt.js";
import type { Rejection } from "../../../model/answer/rejection.js";

/** A key that was meant for something else does not answer a question that has just come up, nor one among other keys. */
const TOO_SOON_MS = 400;
/** As many choices as there are keys for them. */
const KEY_CHOICES_MAX = 9;

const CTRL_C = "\u0003";

/** How often Ctrl-C was pressed in what one read brought. */
export function countInterrupts(keys: string): number {
  return keys.split(CTRL_C).length - 1;
}

export interface PromptingTool {
  /** The question that has waited longest, and that keys answer. */
  readonly asking: PromptEvent | null;
  answerHere(promptId: PromptId, value: string): Rejection | null;
  /** Called when a question came or went. */
  onAsking(listener: () => void): void;
}

export interface AnswerKeysOptions {
  readonly tool: PromptingTool;
  readonly clock: Clock;
  /** Shows why an answer was not taken, in a line of its own. */
  readonly say: (text: string) => void;
}

/** Few choices are answered by one key each, everything else on the input line. */
export class AnswerKeys {
  readonly #options: AnswerKeysOptions;
  #asked: PromptId | null = null;
  #askedAt = 0;
  /** When a key was pressed that answers nothing: somebody writes. */
  #strayAt = -Infinity;

  constructor(options: AnswerKeysOptions) {
    this.#options = options;
  }

  /** From now on the age of a question is known. `changed` is called when one came or went. */
  start(changed: () => void): void {
    const { tool, clock } = this.#options;
    tool.onAsking(() => {
      const { promptId } = tool.asking ?? { promptId: null };
      if (promptId !== this.#asked) this.#askedAt = clock.monotonic();
      this.#asked = promptId;
      changed();
    });
  }

  /** How the question that stands is answered; null: none does. */
  get inputMode(): "key" | "line" | null {
    const { asking } = this.#options.tool;
    if (!asking) return null;
    const { choices, promptType, constraints } = asking;
    const isOneOfFew = promptType === "multiple_choice" && constraints.multi !== true;
    return isOneOfFew && choices.length <= KEY_CHOICES_MAX ? "key" : "line";
  }

  press(key: string): void {
    const now = this.#options.clock.monotonic();
    const isHasty = now - Math.max(this.#askedAt, this.#strayAt) < TOO_SOON_MS;
    if (!/^[1-9]$/.test(key)) this.#strayAt = now;
    else if (!isHasty) this.take(key);
  }

  /** The answer to the question that stands; with none, nothing happens. */
  take(value: string): void {
    const { tool, say } = this.#options;
    const refused = tool.asking && tool.answerHere(tool.asking.promptId, value);
    if (!refused) return;
    say(refused.text);
    // What was shown just now cannot have been read by a key that was on its way.
    if (refused.code === "hidden") this.#askedAt = this.#options.clock.monotonic();
  }
}
