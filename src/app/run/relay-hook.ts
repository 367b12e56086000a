/** `atlasbridge hook FILE`: passes standard input to the run and prints its decision. Tools start it, not people. */
import { buffer } from "node:stream/consumers";
import { postHook } from "../hook-program/post-hook.js";

export async function relayHook(addressFile: string): Promise<void> {
  const decision = await postHook(addressFile, await buffer(process.stdin));
  if (decision !== "") process.stdout.write(`${decision}\n`);
}
