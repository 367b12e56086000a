/** Our place among the jobs of the user's shell: who has the terminal, and how we let go of it and stop. */
import { readFileSync } from "node:fs";
import type { Clock } from "../../../model/clock.js";

/** What of the process is needed; a test puts an emitter in its place. */
export interface ProcessEvents {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  emit(event: "SIGWINCH"): unknown;
}

export type StopSignal = "SIGTSTP" | "SIGTTOU";

/**
 * A stop takes hold before this much of our own time has passed. When it has, nobody could wake us (our shell is gone, or the
 * terminal began with us) and the kernel has dropped the signal, as it would for any program here.
 */
const STOP_TAKES_MS = 20;

/**
 * A shell that has just sent us to the background believes that we run: its `kill` then comes without the SIGCONT that a stopped
 * process needs to hear it. So we stop a little later, when nothing more is likely to come at once.
 */
const BACKGROUND_GRACE_MS = 100;

export interface OwnJobOptions {
  readonly events?: ProcessEvents;
  readonly clock: Clock;
  /** Sends a signal to our whole process group: a pipeline stops as one. */
  readonly signalGroup?: (signal: StopSignal) => void;
  readonly readStat?: () => string;
}

export class OwnJob {
  readonly #events: ProcessEvents;
  readonly #clock: Clock;
  readonly #signalGroup: (signal: StopSignal) => void;
  readonly #readStat: () => string;

  constructor({ events, clock, signalGroup, readStat }: OwnJobOptions) {
    this.#events = events ?? process;
    this.#clock = clock;
    this.#signalGroup = signalGroup ?? ((signal) => void process.kill(0, signal));
    this.#readStat = readStat ?? (() => readFileSync("/proc/self/stat", "utf8"));
  }

  /** True while another job has the terminal: whoever changes its mode then is stopped. False where the system does not tell. */
  get inBackground(): boolean {
    try {
      const stat = this.#readStat();
      // Behind the name in brackets: state, parent, group, session, terminal, the group that has it.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const [group, foreground] = [Number(fields[2]), Number(fields[5])];
      return foreground > 0 && group !== foreground;
    } catch {
      return false;
    }
  }

  /** Waits, hearing all signals, before a stop in the background. */
  linger(): Promise<void> {
    return new Promise((resolve) => {
      const keep = setInterval(() => undefined, BACKGROUND_GRACE_MS);
      this.#clock.after(BACKGROUND_GRACE_MS, () =>
        // After the round of the event loop that tells of signals.
        setImmediate(() => {
          clearInterval(keep);
          resolve();
        }),
      );
    });
  }

  /** Stops us. Resolves true once somebody continued us, with all signals told that came meanwhile; false if we were not stopped. */
  stop(signal: StopSignal): Promise<boolean> {
    return new Promise((resolve) => {
      let continued = false;
      // Before the tool runs nothing else keeps the process, and it would end as if it were through.
      const keep = setInterval(() => undefined, STOP_TAKES_MS);
      const finish = (): void => {
        clearInterval(keep);
        cancel();
        this.#events.off("SIGCONT", onContinue);
        resolve(continued);
      };
      // After the round of the event loop that tells of signals: this one, and those that came with it.
      const onContinue = (): void => {
        continued = true;
        setImmediate(finish);
      };
      this.#events.on("SIGCONT", onContinue);
      const cancel = this.#clock.after(STOP_TAKES_MS, () => setImmediate(finish));
      this.#signalGroup(signal);
    });
  }
}
