import type { Clock } from "../../../model/clock.js";
import type { ProgramFile } from "../../adapter-format/program/program-file.js";
import { findHaltReason, writeUntilHalt } from "./halt.js";
import type { ProgramPort } from "./program-port.js";
import type { PartialLine } from "./prompt/partial-line.js";
import type { PromptGate } from "./prompt/prompt-gate.js";
import type { PromptWatch } from "./prompt/prompt-watch.js";

export interface ControlledProgram {
  readonly program: ProgramFile;
  readonly port: ProgramPort;
  readonly clock: Clock;
  readonly watch: PromptWatch;
}

const NONE_RUNS = "no command of yours is running";
/** A program that asks for confirmation of an interrupt does so at once. */
const CONFIRM_MS = 300;

/** `interrupt` stops the command, `eof` ends its input, `suspend` puts it into the background. */
export type SignalKey = "interrupt" | "eof" | "suspend";

const NO_KEY: Readonly<Record<SignalKey, string>> = {
  interrupt: "an interrupt would end the whole program",
  eof: "its file names no key that ends the input of a command",
  suspend: "its file names no key that suspends a command",
};

export interface PressingOptions {
  /** One of our commands has not ended, or the text at the prompt was typed by nobody. */
  readonly isHeld: boolean;
  readonly halt: AbortSignal;
}

async function pressSignal(
  place: ControlledProgram,
  key: SignalKey,
  { isHeld, halt }: PressingOptions,
): Promise<string | null> {
  const { program, port, watch } = place;
  const bytes = program.signals[key];
  if (bytes === null) return NO_KEY[key];
  if (key === "suspend" && !program.capabilities.job_control)
    return "the program could not go on with it: it has no jobs";
  // At a prompt the other keys would end or stop the program.
  if (watch.phase === "prompt" && !(isHeld && key === "interrupt")) return "nothing is running";
  port.noteSent();
  // Text at the prompt is discarded. Most programs draw the next prompt.
  if (watch.phase === "prompt") watch.noteCancelKey(true);
  await port.terminal.write(Buffer.from(bytes));
  if (key === "interrupt") confirmInterrupt(place, halt);
  return null;
}

function confirmInterrupt({ program, port, clock, watch }: ControlledProgram, halt: AbortSignal): void {
  const { interrupt_confirm: confirm } = program.signals;
  if (confirm === null) return;
  clock.after(CONFIRM_MS, () => {
    if (watch.phase !== "prompt" && !halt.aborted) void port.terminal.write(Buffer.from(confirm));
  });
}

export interface TargetRun {
  readonly gate: Pick<PromptGate, "checkInput" | "readPending">;
  readonly partialLine: Pick<PartialLine, "stands">;
  readonly isRunning: () => boolean;
}

export async function pressKey(
  place: ControlledProgram,
  key: SignalKey,
  { gate, partialLine, isRunning, ...options }: TargetRun & PressingOptions,
): Promise<string | null> {
  if (key === "interrupt") return pressSignal(place, key, options);
  // Otherwise the key would affect a command of the person at the terminal.
  if (!isRunning()) return NONE_RUNS;
  return place.port.turn(async () => {
    const problem = key === "eof" ? await gate.checkInput(partialLine) : null;
    gate.readPending();
    return problem ?? (isRunning() ? pressSignal(place, key, options) : NONE_RUNS);
  });
}

/** Types a line for the running command. Resolves with why it was not typed, or null. Keys of the person follow it. */
export async function typeForRun(
  { port, watch }: ControlledProgram,
  text: string,
  { gate, partialLine, isRunning, halt }: TargetRun & Pick<PressingOptions, "halt">,
): Promise<string | null> {
  const findEnd = (): string | null => {
    if (!isRunning()) return NONE_RUNS;
    return watch.phase === "running" ? null : "the program is at its own prompt, and nothing reads a line";
  };
  const ended = findEnd();
  if (ended !== null) return ended;
  if (/[^\P{Cc}\t]/u.test(text)) return "it contains control characters";
  return port.turn(async () => {
    // The command may have ended by now, and its shell would run the line.
    const problem = (await gate.checkInput(partialLine, text)) ?? findEnd() ?? findHaltReason(halt);
    if (problem !== null) return problem;
    port.hold();
    try {
      port.noteSent();
      const bytes = Buffer.from(`${text}\r`);
      const written = await writeUntilHalt(port, bytes, halt);
      if (written === 0) return "it takes no input now";
      // It would be wrong to report that nothing was typed.
      if (written < bytes.length) throw new Error(`only ${written} of its ${bytes.length} bytes were typed`);
      return null;
    } finally {
      port.release();
    }
  });
}

export interface EndingOptions {
  readonly lineEnding: string;
  readonly isFree: boolean;
  /** Sent first to a program that is not at its prompt; or null. */
  readonly signal: NodeJS.Signals | null;
}

export async function endProgram(
  { program, port, clock, watch }: ControlledProgram,
  { lineEnding, isFree, signal }: EndingOptions,
): Promise<void> {
  const { command, grace_ms: graceMs, force_signal: force } = program.lifecycle.shutdown;
  const { terminal } = port;
  if (!terminal.alive) return;
  const isTyped = command !== null && isFree;
  if (isTyped) {
    watch.noteSubmitted();
    await terminal.write(Buffer.from(command + lineEnding));
  } else if (signal !== null) terminal.kill(signal);
  const waitMs = isTyped || signal !== null ? graceMs : 0;
  const stop = clock.after(waitMs, () => void terminal.kill(`SIG${force.toUpperCase()}` as NodeJS.Signals));
  await terminal.exited;
  stop();
}
