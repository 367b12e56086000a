/** `atlasbridge hook FILE`: standard input to the run, its decision to standard output. Started by tools, not by people. */
import { buffer } from "node:stream/consumers";
import { postHook } from "../hook-program/post-hook.js";

export async function relayHook(addressFile: string): Promise<void> {
  const decision = await postHook(addressFile, await buffer(process.stdin));
  if (decision !== "") process.stdout.write(`${decision}\n`);
}
