/** One run from its start to its end: the tool, the user's terminal, and their ways out. */
import type { Clock } from "../../../model/clock.js";
import type { Terminal, TerminalExit } from "../../process/terminal.js";
import { joinHost, type ToolEnd } from "./host-join.js";
import { restoreTerminalAfter, type EndSignal, type HostTerminal } from "./host-terminal.js";
import { stopTogether } from "./stop-together.js";

/** A tool that was asked to end gets this long before it is killed (adapter spec §2, `terminate_session`). */
const END_GRACE_MS = 3000;

/** A tool that runs in a terminal of its own. */
export interface SupervisedTool extends ToolEnd {
  readonly terminal: ToolEnd["terminal"] & Pick<Terminal, "kill" | "stop" | "onStop" | "wake">;
  /** Input of the host without what the tool has had from us already. */
  filterInput(chunk: Uint8Array): Uint8Array;
  readonly exited: Promise<TerminalExit>;
  /** Hears that the tool is about to be ended. */
  ending(): void;
  /** What puts a terminal that shows the tool's output back in a shell's modes. */
  undoModes(): string;
}

export interface SuperviseOptions {
  readonly tool: SupervisedTool;
  readonly host: HostTerminal;
  readonly clock: Clock;
  /** A person typed. */
  readonly onTyped?: () => void;
  /** Output of the tool goes to the terminal. */
  readonly onOutput?: ((chunk: Uint8Array) => void) | undefined;
}

/** Resolves when the tool has ended, all its output is out, and the user's terminal is as it was. */
export function supervise(options: SuperviseOptions): Promise<TerminalExit> {
  return restoreTerminalAfter(options.host, () => joinUntilEnd(options));
}

async function joinUntilEnd({
  tool,
  host,
  clock,
  onTyped,
  onOutput,
}: SuperviseOptions): Promise<TerminalExit> {
  // A bug of ours must not leave a raw terminal behind, nor the tool's picture around its message.
  const abandon = (): void => host.abandon(tool.undoModes());
  process.once("uncaughtExceptionMonitor", abandon);
  // What is typed from now on is for the shell, however long our last words take.
  void tool.exited.then(() => host.pauseInput());
  try {
    await joinHost(host, tool, clock, {
      onReading: ({ typed }) => {
        if (typed) onTyped?.();
      },
      filterInput: (chunk) => tool.filterInput(chunk),
      ...(onOutput && { onOutput }),
      onEndSignal: (signal) => endTool(tool, clock, signal),
      onPassedSignal: (signal) => void tool.terminal.kill(signal),
      onOutputLost: () => endTool(tool, clock, "SIGHUP"),
      ...stopTogether(host, tool.terminal),
    });
    const exit = await tool.exited;
    if (exit.signal !== null && host.isWindow) await tidyUp(host, tool.undoModes());
    return exit;
  } finally {
    process.off("uncaughtExceptionMonitor", abandon);
  }
}

/** A tool that was killed could not tidy up. One that ended by itself leaves its terminal as it wants to, as ever. */
async function tidyUp(host: HostTerminal, modes: string): Promise<void> {
  if (modes === "") return;
  await host.write(Buffer.from(modes));
  await host.flush();
}

/** What ends us ends the tool, in the same words; a deaf one is killed. */
function endTool(tool: SupervisedTool, clock: Clock, signal: EndSignal): void {
  const { terminal } = tool;
  tool.ending();
  terminal.kill(signal);
  const cancel = clock.after(END_GRACE_MS, () => void terminal.kill("SIGKILL"));
  void tool.exited.then(cancel);
}

/** Our exit code is the tool's: its own, or 128 and the signal's number, as shells tell it. */
export function toExitCode({ exitCode, signal }: TerminalExit): number {
  return exitCode ?? 128 + (signal ?? 0);
}
