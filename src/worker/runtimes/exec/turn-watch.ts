/** Watches over one turn: a tool that is silent for too long is told to stop, and one that does not stop is hung. */
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
  #working = false;
  #cancelled = false;
  #stopSilence: Cancel = () => undefined;
  #stopGrace: Cancel = () => undefined;

  constructor(options: TurnWatchOptions) {
    this.#options = options;
  }

  get isWorking(): boolean {
    return this.#working;
  }

  /** Somebody has stopped the turn that is under way, or the last one. */
  get isCancelled(): boolean {
    return this.#cancelled;
  }

  begin(): void {
    this.#working = true;
    this.#cancelled = false;
    this.heard();
  }

  /** A sign of life. */
  heard(): void {
    this.#stopSilence();
    const { clock, silenceMs } = this.#options;
    if (this.#working) this.#stopSilence = clock.after(silenceMs, () => this.#silent());
  }

  cancel(): void {
    if (!this.#working || this.#cancelled) return;
    this.#cancelled = true;
    const { clock, cancel, onHung } = this.#options;
    this.#stopGrace = clock.after(CANCEL_WITHIN_MS, onHung);
    cancel();
  }

  end(): void {
    this.#working = false;
    this.#stopSilence();
    this.#stopGrace();
  }

  /** A person may think as long as they like. */
  #silent(): void {
    if (this.#options.isAsking()) this.heard();
    else this.cancel();
  }
}
