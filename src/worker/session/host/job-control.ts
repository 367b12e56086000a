/** The user's terminal by turns: taken over and raw while we run, given back while we are stopped. */
import type { RawMode } from "./host-raw-mode.js";
import type { OwnJob, ProcessEvents, StopSignal } from "./own-job.js";

export interface JobControlParts {
  readonly events: ProcessEvents;
  /** Null when there is no terminal to take over. */
  readonly rawMode: Pick<RawMode, "enter" | "leave"> | null;
  readonly job: Pick<OwnJob, "inBackground" | "linger" | "stop">;
  /** A terminal that we were started with is there no more. */
  readonly isGone: () => boolean;
  /** Ends the process at once, by a signal that nobody handles any more. */
  readonly endBy: (signal: NodeJS.Signals) => void;
}

export interface JobHooks {
  /** We are asked to stop (SIGTSTP). Nothing stops by itself. */
  onStopSignal(): void;
  /** We were stopped by force and go on, with the terminal taken over again. Not told of a stop by `suspend`. */
  onContinued(): void;
}

export class JobControl {
  readonly #parts: JobControlParts;
  #hooks: JobHooks | null = null;
  /** Taking over and letting go, one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #stopping = false;
  #endedBy: NodeJS.Signals | null = null;

  constructor(parts: JobControlParts) {
    this.#parts = parts;
  }

  /** Resolves when no other job has the terminal; until then we are stopped, as everything is that needs it. */
  ready(): Promise<void> {
    return this.#untilForeground(() => true);
  }

  /** Takes the terminal over, as soon as it is ours to take. Resolves when it is raw. */
  start(hooks: JobHooks): Promise<void> {
    this.#hooks = hooks;
    this.#parts.events.on("SIGTSTP", this.#onStopSignal);
    this.#parts.events.on("SIGCONT", this.#onContinue);
    return this.#runExclusive(() => this.#takeOver());
  }

  /**
   * Gives the terminal back after `last` and stops us with our whole job, as Ctrl-Z does to any program. Resolves when somebody
   * continued us (or nobody could): true with the terminal taken over again, false when we are to end and another job may have it.
   */
  async suspend(last: () => Promise<void>): Promise<boolean> {
    let isOurs = true;
    await this.#runExclusive(async () => {
      await last();
      // Who is asked to end does not stop any more, whatever its tool does.
      if (this.#endedBy !== null) return;
      this.#parts.rawMode?.leave();
      await this.#stop("SIGTSTP");
      await this.#takeOver();
      isOurs = this.#wanted;
    });
    return isOurs;
  }

  /** We were asked to end: the terminal is not taken over again. */
  ending(signal: NodeJS.Signals): void {
    this.#endedBy ??= signal;
  }

  /** Gives the terminal back for good. May be called any number of times. */
  close(): void {
    this.#hooks = null;
    this.#parts.events.off("SIGTSTP", this.#onStopSignal);
    this.#parts.events.off("SIGCONT", this.#onContinue);
    this.#parts.rawMode?.leave();
  }

  /**
   * The last call of a run. Node sets the terminal's mode when it ends. Whoever does that in the background is stopped: a job that is
   * ended there (`kill %1`) would never be gone. And of a terminal that is gone Node complains by dumping its core. So it ends here,
   * by the signal that was meant to.
   */
  endBySignal(): void {
    const { rawMode, job, isGone, endBy } = this.#parts;
    if (this.#endedBy && ((rawMode && job.inBackground) || isGone())) endBy(this.#endedBy);
  }

  readonly #onStopSignal = (): void => this.#hooks?.onStopSignal();

  readonly #onContinue = (): void => {
    // Only the job that has the terminal is told of a new size, and only then Node looks.
    this.#parts.events.emit("SIGWINCH");
    if (this.#stopping) return;
    void this.#runExclusive(() => this.#takeOver()).then(() => this.#hooks?.onContinued());
  };

  async #takeOver(): Promise<void> {
    await this.#untilForeground(() => this.#wanted);
    if (this.#wanted) await this.#parts.rawMode?.enter();
  }

  /** Whoever changes the terminal's mode from the background is stopped, but deaf: no signal is handled within that call. */
  async #untilForeground(wanted: () => boolean): Promise<void> {
    const { rawMode, job } = this.#parts;
    const mustWait = (): boolean => rawMode !== null && wanted() && job.inBackground;
    while (mustWait()) {
      await job.linger();
      if (mustWait() && !(await this.#stop("SIGTTOU"))) return;
    }
  }

  get #wanted(): boolean {
    return this.#hooks !== null && this.#endedBy === null;
  }

  /** False when nobody could continue us, so that we were not stopped. */
  async #stop(signal: StopSignal): Promise<boolean> {
    const { events, job } = this.#parts;
    this.#stopping = true;
    events.off("SIGTSTP", this.#onStopSignal);
    const stopped = await job.stop(signal);
    if (this.#hooks) events.on("SIGTSTP", this.#onStopSignal);
    this.#stopping = false;
    return stopped;
  }

  #runExclusive(change: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(change);
    return this.#turn;
  }
}
