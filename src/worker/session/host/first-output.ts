/** Shows a tool's first output while the rest of AtlasBridge is still being loaded (ADR 10). */
import type { Clock } from "../../../model/clock.js";
import type { Terminal } from "../../process/terminal.js";
import { findModesToUndo } from "../../screen/mode-scan.js";
import type { HostTerminal } from "./host-terminal.js";

/**
 * Loading blocks the process for tens of milliseconds. It begins with the tool's first byte, or after this time, by which most programs
 * have printed.
 */
export const FIRST_BYTE_WITHIN_MS = 25;
/** More output waits in the tool's terminal. This holds several full redraws. */
export const FIRST_OUTPUT_BYTES_MAX = 256 * 1024;

type FirstHost = Pick<HostTerminal, "write" | "abandon">;
type Watched = Pick<Terminal, "onData" | "pause" | "resume" | "exited">;

export class FirstOutput {
  readonly #terminal: Watched;
  readonly #host: FirstHost;
  readonly #shown: Uint8Array[] = [];
  readonly #stopListening: () => void;
  #bytes = 0;
  #onFirst: () => void = () => undefined;
  readonly #first = new Promise<void>((resolve) => (this.#onFirst = resolve));

  constructor(terminal: Watched, host: FirstHost) {
    this.#terminal = terminal;
    this.#host = host;
    this.#stopListening = terminal.onData((chunk) => this.#show(chunk));
    process.once("uncaughtExceptionMonitor", this.#abandon);
  }

  /** Resolves at the tool's first byte, at its end, or after `FIRST_BYTE_WITHIN_MS`. */
  async awaitBegin(clock: Clock): Promise<void> {
    let cancel: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (cancel = clock.after(FIRST_BYTE_WITHIN_MS, resolve)));
    await Promise.race([this.#first, this.#terminal.exited, late]);
    cancel();
  }

  /** Stops writing and returns all that was written. The next listener must be added within this turn to get all further output in order. */
  handOver(): readonly Uint8Array[] {
    process.off("uncaughtExceptionMonitor", this.#abandon);
    this.#stopListening();
    this.#terminal.resume();
    return this.#shown;
  }

  /** A crash must not leave the tool's screen around its error message. */
  readonly #abandon = (): void => this.#host.abandon(findModesToUndo(this.#shown));

  #show(chunk: Uint8Array): void {
    this.#onFirst();
    this.#shown.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > FIRST_OUTPUT_BYTES_MAX) this.#terminal.pause();
    void this.#host.write(chunk);
  }
}
