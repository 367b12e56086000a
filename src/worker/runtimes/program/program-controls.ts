/** What is done to a program besides giving it commands: it is interrupted, answered, and ended. */
import type { Clock } from "../../../model/clock.js";
import type { ProgramFile } from "../../adapter-format/program/program-file.js";
import { findHalt, writeUntilHalt } from "./halt.js";
import type { ProgramPort } from "./program-port.js";
import type { BegunLine } from "./prompt/begun-line.js";
import type { PromptGate } from "./prompt/prompt-gate.js";
import type { PromptWatch } from "./prompt/prompt-watch.js";

export interface ControlledProgram {
  readonly program: ProgramFile;
  readonly port: ProgramPort;
  readonly clock: Clock;
  readonly watch: PromptWatch;
}

const NONE_RUNS = "no command of yours is running";
/** Programs that ask again whether they shall be interrupted do so at once. */
const CONFIRM_MS = 300;

/** `interrupt` stops what runs, `eof` ends what it reads, `suspend` puts it into the background. */
export type SignalKey = "interrupt" | "eof" | "suspend";

const NO_KEY: Readonly<Record<SignalKey, string>> = {
  interrupt: "an interrupt would end the whole program",
  eof: "its file names no key that ends the input of a command",
  suspend: "its file names no key that suspends a command",
};

export interface PressingOptions {
  /** A command of ours has not ended, whatever the program shows, or what stands at its prompt is nobody's. */
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
  // At a prompt the keys of the others would end the program, or stop it.
  if (watch.phase === "prompt" && !(isHeld && key === "interrupt")) return "nothing is running";
  port.noteSent();
  // What stood at the prompt is dropped. Most programs draw the next one.
  if (watch.phase === "prompt") watch.noteBreak(true);
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

/** The command of ours for which something is typed. */
export interface MeantRun {
  readonly gate: Pick<PromptGate, "checkInput" | "readPending">;
  /** The line of the person at the terminal. */
  readonly begun: Pick<BegunLine, "stands">;
  /** It has not ended. */
  readonly isRunning: () => boolean;
}

/** Presses one of the program's keys. Resolves with why it was not pressed, or null. */
export async function pressKey(
  place: ControlledProgram,
  key: SignalKey,
  { gate, begun, isRunning, ...options }: MeantRun & PressingOptions,
): Promise<string | null> {
  if (key === "interrupt") return pressSignal(place, key, options);
  // Where no command of ours runs, the key would be for what a person has begun.
  if (!isRunning()) return NONE_RUNS;
  return place.port.turn(async () => {
    const problem = key === "eof" ? await gate.checkInput(begun) : null;
    gate.readPending();
    return problem ?? (isRunning() ? pressSignal(place, key, options) : NONE_RUNS);
  });
}

/** A line for the command that runs. Resolves with why it was not typed, or null. What the person types meanwhile comes behind it. */
export async function typeForRun(
  { port, watch }: ControlledProgram,
  text: string,
  { gate, begun, isRunning, halt }: MeantRun & Pick<PressingOptions, "halt">,
): Promise<string | null> {
  const findEnd = (): string | null => {
    if (!isRunning()) return NONE_RUNS;
    return watch.phase === "running" ? null : "the program is at its own prompt, and nothing reads a line";
  };
  const ended = findEnd();
  if (ended !== null) return ended;
  if (/[^\P{Cc}\t]/u.test(text)) return "it contains control characters";
  return port.turn(async () => {
    // The command may have ended since, and its shell would run the line.
    const problem = (await gate.checkInput(begun, text)) ?? findEnd() ?? findHalt(halt);
    if (problem !== null) return problem;
    port.hold();
    try {
      port.noteSent();
      const bytes = Buffer.from(`${text}\r`);
      const written = await writeUntilHalt(port, bytes, halt);
      if (written === 0) return "it takes no input now";
      // "Nothing was typed" would be wrong.
      if (written < bytes.length) throw new Error(`only ${written} of its ${bytes.length} bytes were typed`);
      return null;
    } finally {
      port.release();
    }
  });
}

export interface EndingOptions {
  readonly lineEnding: string;
  /** Nothing of a person's stands in the line. */
  readonly isFree: boolean;
  /** What a program that is not at its prompt gets first, or null. */
  readonly signal: NodeJS.Signals | null;
}

/** Types the program's own last command where that is possible, and ends it by signals otherwise. */
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
