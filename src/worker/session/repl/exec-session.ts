/**
 * Runs a session in which a program gives the tasks and people only answer. The terminal shows the tool's output, and a line for answers.
 */
import type { TerminalExit } from "../../process/terminal.js";
import type { EndSignal } from "../host/host-hooks.js";
import { restoreTerminalAfter } from "../host/host-terminal.js";
import { LineTerminal, type LineSessionOptions, type LineTool } from "./line-terminal.js";

/** SIGPIPE: nobody reads our output any more. */
export type TaskEnder = EndSignal | "SIGPIPE";

export interface ExecSessionTool extends LineTool {
  finish(): Promise<TerminalExit>;
}

export interface ExecSessionOptions<T> extends LineSessionOptions<ExecSessionTool> {
  /** Shows text to the person who answers here; null: nobody does. */
  readonly say: ((text: string) => void) | null;
  readonly isShown: boolean;
  /** Gives the tasks; `stop` is aborted with the signal that ends the session. */
  readonly drive: (stop: AbortSignal) => Promise<T>;
}

export interface ExecSessionEnd<T> {
  readonly result: T;
  readonly exit: TerminalExit;
  readonly endedBy: TaskEnder | null;
}

export function runExecSession<T>(options: ExecSessionOptions<T>): Promise<ExecSessionEnd<T>> {
  return restoreTerminalAfter(options.host, () => run(options));
}

async function run<T>(options: ExecSessionOptions<T>): Promise<ExecSessionEnd<T>> {
  const { host, tool, sessionId, drive } = options;
  const stop = new AbortController();
  let endedBy: TaskEnder | null = null;
  let isReady = false;
  /**
   * The first Ctrl-C cancels the turn, and the tool ends after it. A second one, another signal, or one during the start ends it at once.
   */
  const end = (by: TaskEnder): void => {
    const isFirst = endedBy === null;
    endedBy ??= by;
    stop.abort(by);
    if (isFirst && by === "SIGINT" && isReady) tool.cancel();
    else void tool.terminateSession(sessionId);
  };
  const nothing = (): void => undefined;
  const isAnsweredHere = options.say !== null && host.isTerminal;
  const terminal = new LineTerminal({
    ...options,
    isAnsweredHere,
    takesTasks: false,
    say: options.say ?? nothing,
    onTask: nothing,
    onPipedInput: nothing,
    onInputEnd: nothing,
    onInterrupt: () => end("SIGINT"),
    onEndKey: nothing,
    onEndSignal: end,
    onOutputLost: () => end(host.isWindow ? "SIGHUP" : "SIGPIPE"),
  });
  // Piped input remains for the next program.
  if (!isAnsweredHere) host.pauseInput();
  await terminal.open();
  tool.ready.then(() => (isReady = true), nothing);
  const output = terminal.showOutput();
  try {
    const result = await drive(stop.signal);
    const exit = await tool.finish();
    await output;
    return { result, exit, endedBy };
  } catch (error) {
    await tool.terminateSession(sessionId);
    throw error;
  } finally {
    await terminal.end();
  }
}
