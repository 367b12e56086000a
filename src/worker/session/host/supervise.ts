/** Supervises one session from start to end: the tool, the user's terminal, and every way out. */
import type { Clock } from "../../../model/clock.js";
import type { Terminal, TerminalExit } from "../../process/terminal.js";
import { joinHost, type ToolSide } from "./host-join.js";
import { passEvents, type EndSignal } from "./host-hooks.js";
import { restoreTerminalAfter, type HostTerminal } from "./host-terminal.js";

/** A tool that was asked to end gets this long before it is killed (adapter spec §2, `terminate_session`). */
const END_GRACE_MS = 3000;

/** A tool that runs in a terminal of its own. */
export interface SupervisedTool extends ToolSide {
  readonly terminal: ToolSide["terminal"] & Pick<Terminal, "kill" | "stop" | "onStop" | "wake">;
  /** Returns the host's input without answers that the tool already got from us. */
  filterInput(chunk: Uint8Array): Uint8Array;
  readonly exited: Promise<TerminalExit>;
  /** Call just before the tool is ended. */
  noteEnding(): void;
  /** Returns the sequence that restores a shell's modes on a terminal that shows the tool's output. */
  undoModes(): string;
}

export interface SuperviseOptions {
  readonly tool: SupervisedTool;
  readonly host: HostTerminal;
  readonly clock: Clock;
  /** Called when a person typed. */
  readonly onTyped?: () => void;
  /** Called with output of the tool that goes to the terminal. */
  readonly onOutput?: ((chunk: Uint8Array) => void) | undefined;
  /** Ends the tool in its own way; it is killed if that takes too long. Default: it gets the signal that ends us. */
  readonly endTool?: ((signal: EndSignal) => void) | undefined;
}

/** Resolves when the tool has ended, all its output is written, and the user's terminal is restored. */
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
  // A bug of ours must not leave a raw terminal behind, nor the tool's picture around its error message.
  const abandon = (): void => host.abandon(tool.undoModes());
  process.once("uncaughtExceptionMonitor", abandon);
  // What is typed from now on is for the shell, however long our last messages take.
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

/** A killed tool could not reset its terminal. One that ended by itself leaves its terminal as it chose to. */
async function restoreModes(host: HostTerminal, modes: string): Promise<void> {
  if (modes === "") return;
  await host.write(Buffer.from(modes));
  await host.flush();
}

/** Kills a tool that does not end by what it is told. */
function endTool(tool: SupervisedTool, clock: Clock, tell: () => void): void {
  tool.noteEnding();
  tell();
  const cancel = clock.after(END_GRACE_MS, () => void tool.terminal.kill("SIGKILL"));
  void tool.exited.then(cancel);
}

/** Our exit code is the tool's: its own, or 128 plus the signal's number, as in shells. */
export function toExitCode({ exitCode, signal }: TerminalExit): number {
  return exitCode ?? 128 + (signal ?? 0);
}
