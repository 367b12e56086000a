/** `atlasbridge hook FILE` as its own small program: the tool waits for it, and interprets any exit code other than 0 as a decision. */
import { relayHook } from "../app/run/relay-hook.js";

export async function runCli(argv: readonly string[]): Promise<void> {
  await relayHook(argv[3] ?? "").catch(() => undefined);
}
