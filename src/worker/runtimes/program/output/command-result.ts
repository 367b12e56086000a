/** What a command has come to, as scripts, agents and people get it. */
import type { CommandRun } from "./command-run.js";
import { NO_OUTPUT, type CapturedOutput } from "./output-capture.js";

/**
 * `finished`: the program is at its prompt again. `running`: the time was up, and the command goes on. `ended`: the program has ended.
 * `refused`: nothing was typed.
 */
export type CommandState = "finished" | "running" | "ended" | "refused";

export interface CommandResult {
  readonly id: string;
  readonly state: CommandState;
  /** Why nothing was typed, or what else has to be known; empty otherwise. */
  readonly note: string;
  readonly output: CapturedOutput;
  /** The output with its colours, as it came, where the program's file wants it kept. */
  readonly styled: string | null;
  readonly exitCode: number | null;
  /** Null where the program does not report it. */
  readonly cwd: string | null;
  /** The command has made the program report its working directory. */
  readonly cwdReported: boolean;
  readonly mode: string | null;
  readonly level: number | null;
  /** Parts of the prompt that mean something. */
  readonly captures: Readonly<Record<string, string | number>>;
  /** What was printed between commands. */
  readonly outOfBand: string;
  readonly durationMs: number;
  readonly isIncomplete: boolean;
  readonly isInterrupted: boolean;
  /** The marks carried the session's secret, so no output can have imitated them. */
  readonly isProven: boolean;
}

/** Where the program stands. */
export type CurrentState = Pick<CommandResult, "cwd" | "mode" | "level" | "captures" | "isProven">;
export type ResultNotes = Pick<CommandResult, "note" | "outOfBand" | "cwdReported">;

export function buildResult(
  run: CommandRun,
  state: CommandState,
  rest: CurrentState & ResultNotes & Pick<CommandResult, "durationMs">,
): CommandResult {
  const output = state === "running" ? run.peek() : run.collect();
  const { id, exitCode, isIncomplete, isInterrupted } = run;
  const styled = run.keepsStyles ? Buffer.from(output.raw).toString("utf8") : null;
  return { id, state, output, styled, exitCode, isIncomplete, isInterrupted, ...rest };
}

export function buildRefusal(note: string, current: CurrentState): CommandResult {
  const nothing = { id: "", output: NO_OUTPUT, styled: null, exitCode: null, outOfBand: "", durationMs: 0 };
  const flags = { cwdReported: false, isIncomplete: false, isInterrupted: false };
  return { ...nothing, ...current, ...flags, state: "refused", note };
}
