/** Watches one turn: a tool that is silent for too long is stopped, and one that does not stop is hung. */
import type { Cancel } from "../../../model/clock.js";
import { CANCEL_WITHIN_MS } from "../../prompts/limits.js";
import { describeSilence } from "../protocol/turn-ending.js";
import type { ProtocolTurn } from "../protocol/protocol-client.js";
import type { ExecClientParts } from "./exec-client.js";

export interface TurnWatchOptions extends Pick<ExecClientParts, "clock" | "silenceMs" | "onHung"> {
  readonly isAsking: () => boolean;
  readonly cancel: () => void;
  /** The setting that holds `silenceMs`, for people. Absent: `exec.timeout`. */
  readonly setting?: string;
}

export class TurnWatch {
  readonly #options: TurnWatchOptions;
  isWorking = false;
  isCancelled = false;
  #silence: string | null = null;
  #stopSilence: Cancel = () => undefined;
  #stopGrace: Cancel = () => undefined;

  constructor(options: TurnWatchOptions) {
    this.#options = options;
  }

  begin(): void {
    this.isWorking = true;
    this.isCancelled = false;
    this.#silence = null;
    this.noteSignOfLife();
  }

  noteSignOfLife(): void {
    this.#stopSilence();
    const { clock, silenceMs } = this.#options;
    if (this.isWorking) this.#stopSilence = clock.after(silenceMs, () => this.#onSilence());
  }

  cancel(): void {
    if (!this.isWorking || this.isCancelled) return;
    this.isCancelled = true;
    const { clock, cancel, onHung } = this.#options;
    this.#stopGrace = clock.after(CANCEL_WITHIN_MS, onHung);
    cancel();
  }

  /** Ends the turn and returns how it ended. A tool that was stopped for its silence has not done its task, even if it says so. */
  end<Turn extends ProtocolTurn>(turn: Turn): Turn {
    this.isWorking = false;
    this.stop();
    if (this.#silence === null) return turn;
    const rest = turn.stopReason === null && turn.problem !== null ? `; then: ${turn.problem}` : "";
    return { ...turn, problem: `${this.#silence}${rest}` };
  }

  stop(): void {
    this.#stopSilence();
    this.#stopGrace();
  }

  /** While a prompt is open, a person may think as long as they like. */
  #onSilence(): void {
    const { isAsking, silenceMs, setting = "exec.timeout" } = this.#options;
    if (isAsking()) {
      this.noteSignOfLife();
      return;
    }
    // Silence is not the reason if somebody has cancelled the turn before.
    if (!this.isCancelled) this.#silence = describeSilence(silenceMs, setting);
    this.cancel();
  }
}
