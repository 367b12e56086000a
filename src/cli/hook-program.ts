/** `atlasbridge hook FILE` by itself: a tool waits for every millisecond of it, and reads an exit code other than 0 as its own answer. */
import { relayHook } from "../app/run/relay-hook.js";

export async function runCli(argv: readonly string[]): Promise<void> {
  await relayHook(argv[3] ?? "").catch(() => undefined);
}
