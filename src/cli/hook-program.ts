/** `atlasbridge hook FILE`, a program of its own. It must exit with 0: a tool takes any other exit code for a decision. */
import { relayHook } from "../app/run/relay-hook.js";

export async function runCli(argv: readonly string[]): Promise<void> {
  await relayHook(argv[3] ?? "").catch(() => undefined);
}
