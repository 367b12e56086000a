/** Watches one turn: a tool that is silent for too long is told to stop, and one that does not stop is hung. */
import type { Cancel } from "../../../model/clock.js";
import { CANCEL_WITHIN_MS } from "../../prompts/limits.js";
import { describeSilence } from "../protocol/turn-ending.js";
import type { ProtocolTurn } from "../protocol/protocol-client.js";
import type { ExecClientParts } from "./exec-client.js";

export interface TurnWatchOptions extends Pick<ExecClientParts, "clock" | "silenceMs" | "onHung"> {
  readonly isAsking: () => boolean;
  /** Tells the tool to stop. */
  readonly cancel: () => void;
  /** The setting that holds `silenceMs`, for people. Absent: `exec.timeout`. */
  readonly setting?: string;
}

export class TurnWatch {
  readonly #options: TurnWatchOptions;
  #isWorking = false;
  #isCancelled = false;
  /** Set when the turn was cancelled for its silence. */
  #silence: string | null = null;
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
    this.#silence = null;
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

  /** Ends the turn. Returns how it ended: a tool that was stopped for its silence has not done its task, whatever it says of it. */
  end<Turn extends ProtocolTurn>(turn: Turn): Turn {
    this.#isWorking = false;
    this.stop();
    if (this.#silence === null) return turn;
    const rest = turn.stopReason === null && turn.problem !== null ? `; then: ${turn.problem}` : "";
    return { ...turn, problem: `${this.#silence}${rest}` };
  }

  /** Call when the connection ends, which ends the turn, too. */
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
    // Somebody may have cancelled it before: then that is why.
    if (!this.#isCancelled) this.#silence = describeSilence(silenceMs, setting);
    this.cancel();
  }
}
