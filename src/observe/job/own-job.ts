/** Which job has the terminal, and how this process leaves it and stops. */
import { readFileSync } from "node:fs";
import type { Clock } from "../../model/clock.js";

export interface ProcessEvents {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  emit(event: "SIGWINCH"): unknown;
}

export type StopSignal = "SIGTSTP" | "SIGTTOU";

/** A stop takes effect within this time. Otherwise nobody could wake us, and the kernel has dropped the signal. */
const STOP_TAKES_MS = 20;

/**
 * After moving us to the background a shell believes that we run, and its `kill` sends no SIGCONT. So the stop waits until no signal is
 * likely to follow.
 */
const BACKGROUND_GRACE_MS = 100;

export interface OwnJobOptions {
  readonly events?: ProcessEvents;
  readonly clock: Clock;
  /** The whole group, because a pipeline stops as one. */
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

  /** A process that changes the terminal's mode in the background is stopped. False if the system does not say. */
  get isInBackground(): boolean {
    try {
      const { group, foreground } = readGroups(this.#readStat());
      return foreground > 0 && group !== foreground;
    } catch {
      return false;
    }
  }

  /** Waits until pending signals were handled. */
  waitBeforeStop(): Promise<void> {
    return new Promise((resolve) => {
      const keep = setInterval(() => undefined, BACKGROUND_GRACE_MS);
      this.#clock.after(BACKGROUND_GRACE_MS, () =>
        setImmediate(() => {
          clearInterval(keep);
          resolve();
        }),
      );
    });
  }

  /** True once continued, after all pending signals were delivered; false if we were not stopped. */
  stop(signal: StopSignal): Promise<boolean> {
    return new Promise((resolve) => {
      let continued = false;
      // Before the tool runs, nothing else keeps the process alive.
      const keep = setInterval(() => undefined, STOP_TAKES_MS);
      const finish = (): void => {
        clearInterval(keep);
        cancel();
        this.#events.off("SIGCONT", onContinue);
        resolve(continued);
      };
      // Signals are delivered before.
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

/** From `/proc/PID/stat`. */
export function readGroups(stat: string): { readonly group: number; readonly foreground: number } {
  // State, parent, group, session, terminal, and the group that has it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { group: Number(fields[2]), foreground: Number(fields[5]) };
}
