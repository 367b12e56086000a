/** Reads the task from a file or standard input. */
import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { createUsageError } from "../model/errors.js";

const TASK_BYTES_MAX = 4 * 1024 * 1024;

/** `-` is standard input. Errors: ATB_USAGE if it is unreadable, too long, or not text. */
export async function readTask(file: string): Promise<string> {
  const what = file === "-" ? "standard input" : file;
  const bytes = await readHead(file, what);
  if (bytes.length > TASK_BYTES_MAX)
    throw createUsageError(
      `the task in ${what} is longer than ${TASK_BYTES_MAX / 1024 / 1024} MiB`,
      "Is it the right file?",
    );
  if (!isUtf8(bytes) || bytes.includes(0))
    throw createUsageError(`${what} is not UTF-8 text`, "Save it as UTF-8.");
  return bytes.toString();
}

/** Some files never end. */
async function readHead(file: string, what: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    const stream = file === "-" ? process.stdin : createReadStream(file);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > TASK_BYTES_MAX) break;
    }
  } catch (cause) {
    throw createUsageError(
      `the task cannot be read from ${what}`,
      "Check that it exists and that you may read it.",
      cause,
    );
  }
  return Buffer.concat(chunks);
}
