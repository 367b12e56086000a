/** `policy explain`: what each rule says to a prompt that was asked, and why. */
import { resolvePaths } from "../config/paths.js";
import type { CompiledPolicy } from "../hub/policy/compile.js";
import { decide } from "../hub/policy/decide.js";
import { readExactRequest } from "../hub/policy/exact-request.js";
import { Facts } from "../hub/policy/facts.js";
import { findApprovalGuard } from "../hub/policy/guards.js";
import type { PolicySubject } from "../hub/policy/subject.js";
import { NO_USES } from "../hub/policy/verdict.js";
import { readAskedPrompts, type AskedPrompt } from "../hub/store/asked-prompts.js";
import { AtlasBridgeError } from "../model/errors.js";
import { createPolicyWorld } from "./policy-world.js";

export interface ExplainedRule {
  readonly rule: string;
  readonly action: string;
  /** `unknown`: undecidable, which permits nothing. */
  readonly matches: "yes" | "no" | "unknown";
  /** The condition that decides, with the value that it met. */
  readonly why: string;
}

export interface Explanation {
  readonly shortId: string;
  readonly tool: string;
  readonly question: string;
  readonly verdict: string;
  readonly rule: string | null;
  readonly reason: string;
  /** Why no rule may answer it with a yes; null: nothing stands against that. */
  readonly guard: string | null;
  /** Why it cannot be allowed in advance; null: it can. */
  readonly noGrant: string | null;
  readonly rules: readonly ExplainedRule[];
}

/** Uses of rules so far are not counted. Errors: ATB_USAGE for an unknown prompt; ATB_STORE_*. */
export async function explainPrompt(policy: CompiledPolicy, shortId: string): Promise<Explanation> {
  const paths = resolvePaths();
  return explain(policy, await findAsked(paths.database, shortId), createPolicyWorld(paths));
}

/** The last prompt with that id. Errors: ATB_USAGE if there is none; ATB_STORE_*. */
export async function findAsked(database: string, shortId: string): Promise<AskedPrompt> {
  const named = shortId.toLowerCase();
  const asked = (await readAskedPrompts(database, 0)).findLast((each) => each.shortId === named);
  if (asked !== undefined) return asked;
  throw new AtlasBridgeError("ATB_USAGE", `no prompt ${shortId} is on record`, {
    hint: "`atlasbridge prompts --all` lists them.",
  });
}

function explain(
  policy: CompiledPolicy,
  asked: AskedPrompt,
  world: ReturnType<typeof createPolicyWorld>,
): Explanation {
  const subject = toSubject(asked);
  const facts = new Facts(subject, world);
  const verdict = decide(policy, subject, world, NO_USES);
  const exact = readExactRequest(subject, world);
  return {
    shortId: asked.shortId,
    tool: asked.tool,
    question: asked.event.content.text || asked.event.excerpt,
    verdict: verdict.kind,
    rule: verdict.rule === "default" ? null : verdict.rule,
    reason: verdict.reason,
    guard: findApprovalGuard(facts),
    noGrant: exact.ok ? null : exact.why,
    rules: policy.rules.map(({ id, action, judge, judgeEach }) => {
      const { truth, why } = judge(facts);
      const held = judgeEach(facts).map(({ key }) => key);
      const matched = held.length === 0 ? "it matches every prompt" : `${held.join(", ")} hold`;
      return { rule: id, action, matches: truth, why: truth === "yes" ? why || matched : why };
    }),
  };
}

export function toSubject({ event, tool, label, cwd, askedAt }: AskedPrompt): PolicySubject {
  return { event, session: { tool, label, cwd }, now: askedAt };
}
