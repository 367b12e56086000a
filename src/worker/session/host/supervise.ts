import type { Clock } from "../../../model/clock.js";
import type { Terminal, TerminalExit } from "../../process/terminal.js";
import { joinHost, type ToolSide } from "./host-join.js";
import { passEvents, type EndSignal } from "./host-hooks.js";
import { restoreTerminalAfter, type HostTerminal } from "./host-terminal.js";

/** The time for a tool to end before it is killed (adapter spec §2, `terminate_session`). */
const END_GRACE_MS = 3000;

export interface SupervisedTool extends ToolSide {
  readonly terminal: ToolSide["terminal"] & Pick<Terminal, "kill" | "stop" | "onStop" | "wake">;
  filterInput(chunk: Uint8Array): Uint8Array;
  readonly exited: Promise<TerminalExit>;
  noteEnding(): void;
  /** Returns the sequence that restores the modes of a shell. */
  undoModes(): string;
}

export interface SuperviseOptions {
  readonly tool: SupervisedTool;
  readonly host: HostTerminal;
  readonly clock: Clock;
  readonly onTyped?: () => void;
  readonly onOutput?: ((chunk: Uint8Array) => void) | undefined;
  /** Ends the tool in its own way; it is killed if that takes too long. By default it gets the signal that ends us. */
  readonly endTool?: ((signal: EndSignal) => void) | undefined;
}

export function supervise(options: SuperviseOptions): Promise<TerminalExit> {
  return restoreTerminalAfter(options.host, () => joinUntilEnd(options));
}

async function joinUntilEnd({
  tool,
  host,
  clock,
  onTyped,
  onOutput,
  endTool: endInItsWay,
}: SuperviseOptions): Promise<TerminalExit> {
  // A crash must not leave a raw terminal, nor the tool's screen around its error message.
  const abandon = (): void => host.abandon(tool.undoModes());
  process.once("uncaughtExceptionMonitor", abandon);
  // Later keys are for the shell, even while our last messages are being printed.
  void tool.exited.then(() => host.pauseInput());
  const pass = (signal: EndSignal): void => void tool.terminal.kill(signal);
  const end = (signal: EndSignal): void => endTool(tool, clock, () => (endInItsWay ?? pass)(signal));
  try {
    await joinHost(host, tool, clock, {
      onReading: ({ typed }) => {
        if (typed) onTyped?.();
      },
      filterInput: (chunk) => tool.filterInput(chunk),
      ...(onOutput && { onOutput }),
      events: passEvents(host, tool.terminal, end),
    });
    const exit = await tool.exited;
    if (exit.signal !== null && host.isWindow) await restoreModes(host, tool.undoModes());
    return exit;
  } finally {
    process.off("uncaughtExceptionMonitor", abandon);
  }
}

/** Only after a kill: otherwise the tool has restored its terminal as it wanted. */
async function restoreModes(host: HostTerminal, modes: string): Promise<void> {
  if (modes === "") return;
  await host.write(Buffer.from(modes));
  await host.flush();
}

function endTool(tool: SupervisedTool, clock: Clock, tell: () => void): void {
  tool.noteEnding();
  tell();
  const cancel = clock.after(END_GRACE_MS, () => void tool.terminal.kill("SIGKILL"));
  void tool.exited.then(cancel);
}

/** Returns the tool's own exit code, or 128 plus the signal's number, as in shells. */
export function toExitCode({ exitCode, signal }: TerminalExit): number {
  return exitCode ?? 128 + (signal ?? 0);
}
