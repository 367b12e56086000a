/** Asks at the terminal. Without one, each answer is a line of the standard input. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { AtlasBridgeError } from "../../model/errors.js";
import { canStopAsJob, stopAsJob } from "../job/stop-as-job.js";

export interface Question {
  /** Where the question is written: with `--json` the standard output belongs to the result. */
  readonly output: NodeJS.WriteStream;
  /** The answer is not shown. */
  readonly hidden: boolean;
  /** What to do if nobody answers: the option that gives the answer. */
  readonly hint?: string;
}

/** Ctrl-C ends the process, as it does while nothing is asked. Errors: ATB_PAIRING_FAILED if the input ends. */
export async function ask(question: string, { output, hidden, hint = "" }: Question): Promise<string> {
  const answer = await (process.stdin.isTTY
    ? askTerminal(question, output, hidden)
    : askPipe(question, output));
  if (!process.stdin.isTTY) output.write("\n");
  if (answer !== null) return answer.trim();
  throw new AtlasBridgeError("ATB_PAIRING_FAILED", "the input ended before an answer", { hint });
}

export async function askYesNo(question: string, how: Omit<Question, "hidden">): Promise<boolean> {
  return /^y(?:es)?$/i.test(await ask(`${question} [y/N] `, { ...how, hidden: false }));
}

/** readline echoes typed text to its output stream; without one nothing is shown. Null: the input ended. */
async function askTerminal(
  question: string,
  output: NodeJS.WriteStream,
  hidden: boolean,
): Promise<string | null> {
  const echo = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : output;
  const lines = createInterface({ input: process.stdin, output: echo, terminal: true, prompt: question });
  const forgetStops = stopAtCtrlZ(lines, () => {
    if (hidden) {
      // What was typed of it cannot be seen, so it begins anew.
      lines.write(null, { ctrl: true, name: "u" });
      output.write(`\r\u001b[K${question}`);
    }
    // Also reads on: a stop has paused the input.
    lines.prompt(true);
  });
  // Not before the terminal's own echo is off: who answers at once must not see a secret.
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
  // readline took the key from the terminal, which would have sent this.
  if (ending.isInterrupted) process.kill(process.pid, "SIGINT");
  return ending.answer;
}

/**
 * readline stops only its own process, which leaves a shell waiting for `npx` around it, and reads nothing afterwards. Here the whole
 * job stops, or nothing does. `askAgain` draws the question when the terminal is ours and raw again.
 */
function stopAtCtrlZ(lines: Interface, askAgain: () => void): () => void {
  let isStopping = false;
  let isOver = false;
  const goOn = (): void => {
    if (isOver) return;
    // Node believes that the mode is still the one it has set, so it is turned off first.
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
  // A stop from elsewhere (`kill -STOP`) left the terminal to others, too.
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

/** One reader for all answers: a second one would miss the lines that the first has already taken in. */
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

/** After the last question: an input that somebody keeps open must not keep the process alive. */
export function stopAsking(): void {
  piped?.lines.close();
  piped = null;
  if (!process.stdin.isTTY) process.stdin.destroy();
}
