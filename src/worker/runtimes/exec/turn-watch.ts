/** Watches one turn: a tool that is silent for too long is told to stop, and one that does not stop is hung. */
import type { Cancel } from "../../../model/clock.js";
import { CANCEL_WITHIN_MS } from "../../prompts/limits.js";
import type { ExecClientParts } from "./exec-client.js";

export interface TurnWatchOptions extends Pick<ExecClientParts, "clock" | "silenceMs" | "onHung"> {
  readonly isAsking: () => boolean;
  /** Tells the tool to stop. */
  readonly cancel: () => void;
}

export class TurnWatch {
  readonly #options: TurnWatchOptions;
  #isWorking = false;
  #isCancelled = false;
  #stopSilence: Cancel = () => undefined;
  #stopGrace: Cancel = () => undefined;

  constructor(options: TurnWatchOptions) {
    this.#options = options;
  }

  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** Whether somebody has stopped the current turn, or the last one. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  begin(): void {
    this.#isWorking = true;
    this.#isCancelled = false;
    this.noteSignOfLife();
  }

  /** Call with every sign of life. */
  noteSignOfLife(): void {
    this.#stopSilence();
    const { clock, silenceMs } = this.#options;
    if (this.#isWorking) this.#stopSilence = clock.after(silenceMs, () => this.#onSilence());
  }

  cancel(): void {
    if (!this.#isWorking || this.#isCancelled) return;
    this.#isCancelled = true;
    const { clock, cancel, onHung } = this.#options;
    this.#stopGrace = clock.after(CANCEL_WITHIN_MS, onHung);
    cancel();
  }

  end(): void {
    this.#isWorking = false;
    this.#stopSilence();
    this.#stopGrace();
  }

  /** While a prompt is open, a person may think as long as they like. */
  #onSilence(): void {
    if (this.#options.isAsking()) this.noteSignOfLife();
    else this.cancel();
  }
}
