/** `policy test --prompt` and `--scenario`: what a policy file says about prompts that were asked, or that a recording shows. */
import { resolvePaths } from "../config/paths.js";
import type { CompiledPolicy } from "../hub/policy/compile.js";
import { readScenarioPrompts } from "../../prompt-lab/replay/scenario-prompts.js";
import { findAsked, toSubject } from "./explain-prompt.js";
import { testPrompt, type PolicyTest } from "./test-policy.js";

/** Errors: ATB_USAGE for an unknown prompt; ATB_STORE_*. */
export async function testAskedPrompt(policy: CompiledPolicy, shortId: string): Promise<PolicyTest> {
  return testPrompt(policy, toSubject(await findAsked(resolvePaths().database, shortId)));
}

export interface ScenarioTest {
  readonly tool: string;
  readonly prompts: readonly (PolicyTest & { readonly question: string })[];
}

/** A recording holds what its screen shows, and no calls: rules for commands and paths do not match it. Errors: as `readScenarioPrompts`. */
export async function testScenario(
  policy: CompiledPolicy,
  fileOrId: string,
  { cwd, now }: { readonly cwd: string; readonly now: number },
): Promise<ScenarioTest> {
  const { tool, events } = await readScenarioPrompts(fileOrId);
  const prompts = events.map((event) => ({
    question: event.excerpt,
    ...testPrompt(policy, { event, session: { tool, label: null, cwd }, now }),
  }));
  return { tool, prompts };
}
