/** Which commands of a debugger people get as buttons: those that its file declares under `commands.debugger`. Pure. */
import { OFFER_COMMAND_MAX, type ConsoleResult } from "../wire/calls/console-calls.js";
import type { ProgramFile } from "../worker/adapter-format/program/program-file.js";

const LABELS = {
  step_in: "Step",
  step_over: "Next",
  step_out: "Out",
  continue: "Continue",
  locals: "Locals",
  backtrace: "Backtrace",
  run: "Run",
} as const;

const PLACEHOLDER = /\{\w+\}/;

/** `mode`: the program's current mode; null: it has none. Empty where the program is in no debugger. */
export function listOfferedCommands(
  program: ProgramFile,
  mode: string | null,
): NonNullable<ConsoleResult["offers"]> {
  const declared = program.commands?.debugger;
  if (declared === undefined || !program.capabilities.meta_commands || !isInDebugger(program, mode))
    return [];
  return Object.entries(LABELS).flatMap(([name, label]) => {
    const command = declared[name as keyof typeof LABELS] ?? null;
    const isWhole = command !== null && command.length <= OFFER_COMMAND_MAX && !PLACEHOLDER.test(command);
    return isWhole ? [{ label, command }] : [];
  });
}

/** `commands.scope` names the debugger's modes. Without it, a debugger is where its modes say that it can advance, or anywhere. */
function isInDebugger({ family, commands, modes }: ProgramFile, mode: string | null): boolean {
  const scope = commands?.scope ?? [];
  if (scope.length > 0) return mode !== null && scope.includes(mode);
  const paused = modes.filter(({ advance_commands: advance }) => advance.length > 0);
  return family === "debugger" && (paused.length === 0 || paused.some(({ name }) => name === mode));
}
