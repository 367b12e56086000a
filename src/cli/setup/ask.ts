/** Asks at the terminal. Without one, each answer is a line of the standard input. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { AtlasBridgeError } from "../../model/errors.js";
import { canStopAsJob, stopAsJob } from "../job/stop-as-job.js";

export interface Question {
  /** With `--json` standard output belongs to the result. */
  readonly output: NodeJS.WriteStream;
  readonly hidden: boolean;
  /** The option that answers instead, for the error if the input ends. */
  readonly hint?: string;
}

/** Ctrl-C ends the process. Errors: ATB_PAIRING_FAILED if the input ends. */
export async function ask(question: string, { output, hidden, hint = "" }: Question): Promise<string> {
  const answer = await readAnswer(question, output, hidden);
  if (answer !== null) return answer.trim();
  throw new AtlasBridgeError("ATB_PAIRING_FAILED", "the input ended before an answer", { hint });
}

export async function askYesNo(question: string, how: Omit<Question, "hidden">): Promise<boolean> {
  return YES.test(await ask(`${question} [y/N] `, { ...how, hidden: false }));
}

/** After the end of the input every answer is no. */
export async function confirm(question: string): Promise<boolean> {
  return YES.test((await readAnswer(`${question} [y/N] `, process.stdout, false))?.trim() ?? "");
}

const YES = /^y(?:es)?$/i;

/** Null: the input ended. */
async function readAnswer(
  question: string,
  output: NodeJS.WriteStream,
  hidden: boolean,
): Promise<string | null> {
  if (process.stdin.isTTY) return askTerminal(question, output, hidden);
  const answer = await askPipe(question, output);
  output.write("\n");
  return answer;
}

/** A hidden answer goes to an output that drops it. Null: the input ended. */
async function askTerminal(
  question: string,
  output: NodeJS.WriteStream,
  hidden: boolean,
): Promise<string | null> {
  const echo = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : output;
  const lines = createInterface({ input: process.stdin, output: echo, terminal: true, prompt: question });
  const forgetStops = stopAtCtrlZ(lines, () => {
    if (hidden) {
      // Clears what was typed, because it cannot be seen.
      lines.write(null, { ctrl: true, name: "u" });
      output.write(`\r\u001b[K${question}`);
    }
    // Also resumes the input, which the stop has paused.
    lines.prompt(true);
  });
  // A hidden question is written only once the terminal's echo is off.
  if (hidden) output.write(question);
  else lines.prompt();
  const ending = await new Promise<{ answer: string | null; isInterrupted: boolean }>((resolve) => {
    lines.once("line", (answer) => resolve({ answer, isInterrupted: false }));
    lines.once("close", () => resolve({ answer: null, isInterrupted: false }));
    lines.once("SIGINT", () => resolve({ answer: null, isInterrupted: true }));
  });
  forgetStops();
  lines.close();
  if (hidden || ending.answer === null) output.write("\n");
  // readline took Ctrl-C from the terminal, so the signal is sent here.
  if (ending.isInterrupted) process.kill(process.pid, "SIGINT");
  return ending.answer;
}

/** At Ctrl-Z, readline would stop only this process and leave a shell waiting for `npx` around it. This stops the whole job, or nothing. */
function stopAtCtrlZ(lines: Interface, askAgain: () => void): () => void {
  let isStopping = false;
  let isOver = false;
  const goOn = (): void => {
    if (isOver) return;
    // Node caches the mode, so it is turned off first.
    process.stdin.setRawMode(false);
    process.stdin.setRawMode(true);
    askAgain();
  };
  const stop = async (): Promise<void> => {
    if (isStopping || !canStopAsJob()) return;
    isStopping = true;
    process.stdin.setRawMode(false);
    await stopAsJob();
    isStopping = false;
    goOn();
  };
  // After a stop from outside (`kill -STOP`) the terminal's mode may have changed.
  const onContinue = (): void => {
    if (!isStopping) goOn();
  };
  lines.on("SIGTSTP", () => void stop());
  process.on("SIGCONT", onContinue);
  return () => {
    isOver = true;
    process.off("SIGCONT", onContinue);
  };
}

/** Shared by all questions: a second reader would miss lines that the first has buffered. */
let piped: { readonly lines: Interface; readonly iterator: AsyncIterator<string> } | null = null;

async function askPipe(question: string, output: NodeJS.WriteStream): Promise<string | null> {
  output.write(question);
  if (piped === null) {
    const lines = createInterface({ input: process.stdin });
    piped = { lines, iterator: lines[Symbol.asyncIterator]() };
  }
  const next: IteratorResult<string, unknown> = await piped.iterator.next();
  return next.done === true ? null : next.value;
}

export function stopAsking(): void {
  piped?.lines.close();
  piped = null;
  if (!process.stdin.isTTY) process.stdin.destroy();
}
