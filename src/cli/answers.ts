/** Asks the person at the command line yes/no questions, one after the other. */
import { createInterface } from "node:readline/promises";

export type Confirm = (question: string) => Promise<boolean>;

/** Reads answers from stdin, typed or piped; after the end of input every answer is no. */
export async function withConfirmation<T>(work: (confirm: Confirm) => Promise<T>): Promise<T> {
  const input = createInterface({ input: process.stdin });
  // Read through the iterator, so that piped answers arriving at once are not lost.
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
