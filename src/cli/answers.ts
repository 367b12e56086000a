/** Questions of ours to the person at the command line, yes or no, one after the other. */
import { createInterface } from "node:readline/promises";

export type Confirm = (question: string) => Promise<boolean>;

/** Reads answers from stdin, typed or piped; where the input is over every answer is no. */
export async function withAnswers<T>(work: (confirm: Confirm) => Promise<T>): Promise<T> {
  const input = createInterface({ input: process.stdin });
  // Taken from the iterator, piped answers that come all at once are not lost.
  const answers = input[Symbol.asyncIterator]();
  try {
    return await work(async (question) => {
      process.stdout.write(`${question} [y/N] `);
      const answer = await answers.next();
      if (answer.done === true) process.stdout.write("\n");
      return answer.done !== true && /^y(?:es)?$/i.test(answer.value.trim());
    });
  } finally {
    input.close();
  }
}
