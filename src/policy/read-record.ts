/** Reads the prompts on record for `policy replay` and `stats`. */
import { resolvePaths } from "../config/paths.js";
import { readAskedPrompts } from "../hub/store/asked-prompts.js";
import { createPolicyWorld } from "./policy-world.js";
import { readPolicySource } from "./read-policy.js";
import { computeStats, replayPolicy, type Replay, type Stats } from "./replay-policy.js";

/** `since`: ms since 1970. Errors: ATB_CONFIG_INVALID, ATB_FILE_DENIED, ATB_STORE_*. */
export async function replayRecord(file: string | undefined, since: number): Promise<Replay> {
  const paths = resolvePaths();
  const { policy } = readPolicySource(file);
  return replayPolicy(policy, await readAskedPrompts(paths.database, since), createPolicyWorld(paths));
}

/** Errors: ATB_STORE_*. */
export async function readStats(since: number): Promise<Stats> {
  const paths = resolvePaths();
  return computeStats(await readAskedPrompts(paths.database, since), createPolicyWorld(paths));
}
