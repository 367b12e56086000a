import type { CommandRun } from "./command-run.js";
import { NO_OUTPUT, type CapturedOutput } from "./output-capture.js";

/**
 * `finished`: the program is at its prompt again. `running`: the time is up, and the command continues. `ended`: the program has ended.
 * `refused`: nothing was typed.
 */
export type CommandState = "finished" | "running" | "ended" | "refused";

export interface CommandResult {
  readonly id: string;
  readonly state: CommandState;
  /** Why nothing was typed, or a remark on the result; empty otherwise. */
  readonly note: string;
  readonly output: CapturedOutput;
  /** The output with its colours, if the program's file asks for them. */
  readonly styled: string | null;
  readonly exitCode: number | null;
  readonly cwd: string | null;
  /** The command made the program report its working directory. */
  readonly cwdReported: boolean;
  readonly mode: string | null;
  readonly level: number | null;
  /** Named groups of the prompt, such as a line number. */
  readonly captures: Readonly<Record<string, string | number>>;
  readonly outOfBand: string;
  readonly durationMs: number;
  readonly isIncomplete: boolean;
  readonly isInterrupted: boolean;
  /** The marks carried the session's secret, so no output can have imitated them. */
  readonly isProven: boolean;
}

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
