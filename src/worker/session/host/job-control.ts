/** Shares the user's terminal with other jobs: it is raw while we run, and given back while we are stopped. */
import type { TerminalEvents } from "./host-hooks.js";
import type { RawMode } from "./host-raw-mode.js";
import type { OwnJob, ProcessEvents, StopSignal } from "../../../observe/job/own-job.js";

export interface JobControlParts {
  readonly events: ProcessEvents;
  readonly rawMode: Pick<RawMode, "enter" | "leave"> | null;
  readonly job: Pick<OwnJob, "isInBackground" | "waitBeforeStop" | "stop">;
  readonly isGone: () => boolean;
  readonly endBy: (signal: NodeJS.Signals) => void;
}

type JobHooks = Pick<TerminalEvents, "onStopSignal" | "onContinued">;

export class JobControl {
  readonly #parts: JobControlParts;
  #hooks: JobHooks | null = null;
  /** Runs takeovers and returns one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #stopping = false;
  #endedBy: NodeJS.Signals | null = null;

  constructor(parts: JobControlParts) {
    this.#parts = parts;
  }

  /** Resolves when no other job owns the terminal. Until then we are stopped, as every program that needs it. */
  ready(): Promise<void> {
    return this.#waitForForeground(() => true);
  }

  start(hooks: JobHooks): Promise<void> {
    this.#hooks = hooks;
    this.#parts.events.on("SIGTSTP", this.#onStopSignal);
    this.#parts.events.on("SIGCONT", this.#onContinue);
    return this.#runExclusive(() => this.#takeOver());
  }

  /**
   * Gives the terminal back after `last`, and stops us with our whole job, as Ctrl-Z does. When we continue, resolves with true if the
   * terminal was taken over again, and with false if we are to end and another job may own it.
   */
  async suspend(last: () => Promise<void>): Promise<boolean> {
    let isOurs = true;
    await this.#runExclusive(async () => {
      await last();
      // Once we are asked to end, we do not stop any more.
      if (this.#endedBy !== null) return;
      this.#parts.rawMode?.leave();
      await this.#stop("SIGTSTP");
      await this.#takeOver();
      isOurs = this.#wantsTerminal;
    });
    return isOurs;
  }

  /** Call when we were asked to end: then the terminal is not taken over again. */
  noteEnding(signal: NodeJS.Signals): void {
    this.#endedBy ??= signal;
  }

  close(): void {
    this.#hooks = null;
    this.#parts.events.off("SIGTSTP", this.#onStopSignal);
    this.#parts.events.off("SIGCONT", this.#onContinue);
    this.#parts.rawMode?.leave();
  }

  /**
   * The last call of a session. At its end, Node sets the terminal's mode, which stops a background process, so a job that is ended there
   * (`kill %1`) would remain. With a lost terminal, Node dumps core. So the process is ended here by the signal that it got.
   */
  endBySignal(): void {
    const { rawMode, job, isGone, endBy } = this.#parts;
    if (this.#endedBy && ((rawMode && job.isInBackground) || isGone())) endBy(this.#endedBy);
  }

  readonly #onStopSignal = (): void => this.#hooks?.onStopSignal();

  readonly #onContinue = (): void => {
    // The system reports a new size only to the job that owns the terminal.
    this.#parts.events.emit("SIGWINCH");
    if (this.#stopping) return;
    void this.#runExclusive(() => this.#takeOver()).then(() => this.#hooks?.onContinued());
  };

  async #takeOver(): Promise<void> {
    await this.#waitForForeground(() => this.#wantsTerminal);
    if (this.#wantsTerminal) await this.#parts.rawMode?.enter();
  }

  /** Changing the terminal's mode from the background stops a process within the call, where it handles no signals. */
  async #waitForForeground(wanted: () => boolean): Promise<void> {
    const { rawMode, job } = this.#parts;
    const mustWait = (): boolean => rawMode !== null && wanted() && job.isInBackground;
    while (mustWait()) {
      await job.waitBeforeStop();
      if (mustWait() && !(await this.#stop("SIGTTOU"))) return;
    }
  }

  get #wantsTerminal(): boolean {
    return this.#hooks !== null && this.#endedBy === null;
  }

  /** Returns false if we were not stopped because nobody could continue us. */
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
