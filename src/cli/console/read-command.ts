import { AtlasBridgeError } from "../../model/errors.js";

/** The limit of the hub's call. */
const COMMAND_BYTES_MAX = 1024 * 1024;

/** Reads to the end, or to the limit. Errors: ATB_USAGE (longer than 1 MiB, or no text). */
export async function readCommand(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > COMMAND_BYTES_MAX) throw refuse("is longer than 1 MiB");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)).replace(/\n+$/, "");
  } catch {
    throw refuse("is no UTF-8 text");
  }
}

function refuse(why: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_USAGE", `the standard input, which is the command, ${why}`, {
    hint: "Examples: atlasbridge send --help",
  });
}
