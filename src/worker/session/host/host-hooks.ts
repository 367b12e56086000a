/** What the user's terminal reports. */
import type { Terminal, TerminalSize } from "../../process/terminal.js";

/** Signals that ask us to end. Ctrl-C and Ctrl-\ are not among them: in raw mode they are bytes for the tool. */
export const END_SIGNALS = ["SIGHUP", "SIGTERM", "SIGINT", "SIGQUIT"] as const;
export type EndSignal = (typeof END_SIGNALS)[number];

/** Signals that only concern the tool. By default the first would make Node open a debugger to the sender, and the other would end it. */
export const PASSED_SIGNALS = ["SIGUSR1", "SIGUSR2"] as const;
export type PassedSignal = (typeof PASSED_SIGNALS)[number];

/** What the terminal and the system want of the whole session. */
export interface TerminalEvents {
  /** Called when we are asked to end; with SIGHUP also when the user's terminal is gone. Nothing ends by itself. */
  readonly onEndSignal: (signal: EndSignal) => void;
  /** Called with a signal that is not for us. */
  readonly onPassedSignal: (signal: PassedSignal) => void;
  /** Called when nobody reads our output any more; what is written from now on is dropped. */
  readonly onOutputLost: () => void;
  /** Called when we are asked to stop (SIGTSTP). Nothing stops by itself. */
  readonly onStopSignal: () => void;
  /** Called when we were stopped by force and continue, with the terminal taken over again. Not called for a stop by `suspend`. */
  readonly onContinued: () => void;
}

export interface HostHooks extends TerminalEvents {
  readonly onInput: (chunk: Uint8Array) => void;
  /** Called when a pipe or file on stdin ended. Never called for a terminal. */
  readonly onInputEnd: () => void;
  readonly onResize: (size: TerminalSize) => void;
}

/**
 * The events of a session whose tool has a terminal of its own. `end` is called with every wish that the session ends. From now on the
 * tool and the session stop together, as with Ctrl-Z, and continue together (ADR 8).
 */
export function passEvents(
  host: { suspend(): Promise<void> },
  tool: Pick<Terminal, "kill" | "stop" | "onStop" | "wake">,
  end: (signal: EndSignal) => void,
): TerminalEvents {
  tool.onStop(() => void host.suspend().then(() => tool.wake()));
  return {
    onEndSignal: end,
    onOutputLost: () => end("SIGHUP"),
    onPassedSignal: (signal) => void tool.kill(signal),
    // Where a tool's stop would not be noticed, we stop without it: it blocks as soon as it has much output.
    onStopSignal: () => void (tool.stop() || host.suspend()),
    onContinued: () => void tool.kill("SIGCONT"),
  };
}
