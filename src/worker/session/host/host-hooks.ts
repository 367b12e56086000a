import type { Terminal, TerminalSize } from "../../process/terminal.js";

/** Signals that ask us to end. In raw mode Ctrl-C and Ctrl-\ are bytes for the tool instead. */
export const END_SIGNALS = ["SIGHUP", "SIGTERM", "SIGINT", "SIGQUIT"] as const;
export type EndSignal = (typeof END_SIGNALS)[number];

/** Signals for the tool alone. Without a handler the first would open Node's debugger, and the other would end us. */
export const PASSED_SIGNALS = ["SIGUSR1", "SIGUSR2"] as const;
export type PassedSignal = (typeof PASSED_SIGNALS)[number];

export interface TerminalEvents {
  /** Called when we are asked to end, and with SIGHUP when the terminal is lost. The handler decides what ends. */
  readonly onEndSignal: (signal: EndSignal) => void;
  readonly onPassedSignal: (signal: PassedSignal) => void;
  /** Called when our output has no reader any more; later output is dropped. */
  readonly onOutputLost: () => void;
  /** Called when we are asked to stop (SIGTSTP). The handler decides whether we do. */
  readonly onStopSignal: () => void;
  /** Called when we continue after a forced stop, with the terminal taken over again; not after `suspend`. */
  readonly onContinued: () => void;
}

export interface HostHooks extends TerminalEvents {
  readonly onInput: (chunk: Uint8Array) => void;
  /** Called at the end of a pipe or file on stdin, never for a terminal. */
  readonly onInputEnd: () => void;
  readonly onResize: (size: TerminalSize) => void;
}

/**
 * The events of a session whose tool has a terminal of its own. `end` is called for every request to end. From now on the tool and the
 * session stop and continue together (ADR 8).
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
    // If the tool's stop would not be noticed, only we stop; the tool blocks as soon as it has much output.
    onStopSignal: () => void (tool.stop() || host.suspend()),
    onContinued: () => void tool.kill("SIGCONT"),
  };
}
