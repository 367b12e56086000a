/** What the user's terminal reports. */
import type { TerminalSize } from "../../process/terminal.js";
import type { JobHooks } from "./job-control.js";

/** Signals that ask us to end. Ctrl-C and Ctrl-\ are not among them: in raw mode they are bytes for the tool. */
export const END_SIGNALS = ["SIGHUP", "SIGTERM", "SIGINT", "SIGQUIT"] as const;
export type EndSignal = (typeof END_SIGNALS)[number];

/** Signals that only concern the tool. By default the first would make Node open a debugger to the sender, and the other would end it. */
export const PASSED_SIGNALS = ["SIGUSR1", "SIGUSR2"] as const;
export type PassedSignal = (typeof PASSED_SIGNALS)[number];

export interface HostHooks extends JobHooks {
  onInput(chunk: Uint8Array): void;
  /** Called when a pipe or file on stdin ended. Never called for a terminal. */
  onInputEnd(): void;
  onResize(size: TerminalSize): void;
  /** Called when we are asked to end; with SIGHUP also when the user's terminal is gone. Nothing ends by itself. */
  onEndSignal(signal: EndSignal): void;
  /** Called with a signal that is not for us. */
  onPassedSignal(signal: PassedSignal): void;
  /** Called when nobody reads our output any more; what is written from now on is dropped. */
  onOutputLost(): void;
}
