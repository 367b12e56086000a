/** A scenario's prompts as a worker reports them, for `policy test --scenario`. */
import { replay } from "./replay.js";
import { stamp } from "../../src/worker/detection/stamp.js";
import { resolvePaths } from "../../src/config/paths.js";
import { asId, type SessionId } from "../../src/model/ids.js";
import type { PromptEvent } from "../../src/model/prompt.js";
import { systemClock } from "../../src/observe/clock.js";
import { systemRandom } from "../../src/observe/random.js";
import { loadAdapter } from "../../src/plugins/adapters/adapters.js";
import { sanitizeText } from "../../src/safety/safe-text.js";
import { findDraft } from "../scenario/find-scenarios.js";

export interface ScenarioPrompts {
  readonly tool: string;
  readonly events: readonly PromptEvent[];
}

/** The scenario may be unlabelled. Errors: ATB_USAGE (no such scenario), ATB_SCENARIO_INVALID, ATB_ADAPTER_*. */
export async function readScenarioPrompts(fileOrId: string): Promise<ScenarioPrompts> {
  const paths = resolvePaths();
  const { tool, events, cols, rows, settleMs, tty } = findDraft(fileOrId, paths);
  const adapter = await loadAdapter(tool, paths);
  const { raised } = await replay(adapter, events, { cols, rows, settleMs, tty });
  const options = {
    sessionId: asId<SessionId>("scenario"),
    random: systemRandom,
    clock: systemClock,
    safeText: sanitizeText,
  };
  return { tool, events: raised.map(({ candidate, epoch }) => stamp(candidate, epoch, options)) };
}
