/** What is done to a program besides giving it commands: it is interrupted, answered, and ended. */
import type { Clock } from "../../../model/clock.js";
import type { ProgramFile } from "../../adapter-format/program/program-file.js";
import { findHalt, writeUntilHalt } from "./halt.js";
import type { ProgramPort } from "./program-port.js";
import type { PromptWatch } from "./prompt/prompt-watch.js";

export interface ControlledProgram {
  readonly program: ProgramFile;
  readonly port: ProgramPort;
  readonly clock: Clock;
  readonly watch: PromptWatch;
}

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

/** Resolves with why the key was not pressed, or null. */
export async function pressSignal(
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

/** Resolves with why the line was not typed, or null. `check`: why it may not be. What the person types meanwhile comes behind it. */
export async function typeInput(
  { port }: Pick<ControlledProgram, "port">,
  text: string,
  { check, halt }: { readonly check: () => Promise<string | null>; readonly halt: AbortSignal },
): Promise<string | null> {
  if (/[^\P{Cc}\t]/u.test(text)) return "it contains control characters";
  return port.turn(async () => {
    const problem = (await check()) ?? findHalt(halt);
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
