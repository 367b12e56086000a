/** One run from its start to its end: the tool, the user's terminal, and their ways out (design §3 "Worker"). */
import type { Clock } from "../../model/clock.js";
import type { PtyAdapter } from "../runtime/pty/pty-adapter.js";
import type { TerminalExit } from "../transport/terminal.js";
import { joinHost } from "./host-join.js";
import type { EndSignal, HostTerminal } from "./host-terminal.js";

/** A tool that was asked to end gets this long before it is killed (seed §2 `terminate_session`). */
const END_GRACE_MS = 3000;

export interface SuperviseOptions {
  readonly adapter: PtyAdapter;
  readonly host: HostTerminal;
  readonly clock: Clock;
}

/** Resolves when the tool has ended, all its output is out, and the user's terminal is as it was. */
export async function supervise({ adapter, host, clock }: SuperviseOptions): Promise<TerminalExit> {
  const restore = (): void => host.close();
  // A bug of ours must not leave a raw terminal behind.
  process.once("exit", restore);
  try {
    await joinHost(host, adapter, clock, {
      onReading: () => undefined,
      filterInput: (chunk) => chunk,
      onEndSignal: (signal) => endTool(adapter, clock, signal),
      onOutputLost: () => endTool(adapter, clock, "SIGHUP"),
    });
    return await adapter.exited;
  } finally {
    restore();
    process.off("exit", restore);
  }
}

/** What ends us ends the tool, in the same words; a deaf one is killed. */
function endTool(adapter: PtyAdapter, clock: Clock, signal: EndSignal): void {
  const { terminal } = adapter;
  terminal.kill(signal);
  const cancel = clock.after(END_GRACE_MS, () => void terminal.kill("SIGKILL"));
  void adapter.exited.then(cancel);
}

/** Our exit code is the tool's: its own, or 128 and the signal's number, as shells tell it. */
export function exitCodeOf({ exitCode, signal }: TerminalExit): number {
  return exitCode ?? 128 + (signal ?? 0);
}
