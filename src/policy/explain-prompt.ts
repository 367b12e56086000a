/** `policy explain`: what each rule says to a prompt that was asked, and why. */
import { resolvePaths } from "../config/paths.js";
import type { CompiledPolicy } from "../hub/policy/compile.js";
import { decide } from "../hub/policy/decide.js";
import { readExactRequest } from "../hub/policy/exact-request.js";
import { Facts } from "../hub/policy/facts.js";
import { findApprovalGuard } from "../hub/policy/guards.js";
import type { PolicySubject } from "../hub/policy/subject.js";
import { NO_USES, type Verdict } from "../hub/policy/verdict.js";
import { readAskedPrompts, type AskedPrompt } from "../hub/store/asked-prompts.js";
import { AtlasBridgeError } from "../model/errors.js";
import { createPolicyWorld } from "./policy-world.js";
import { formatInstant } from "../model/clock.js";
import { asId } from "../model/ids.js";
import type { PromptEvent } from "../model/prompt.js";
import { markCarriageReturns } from "../safety/display.js";
import { measureHidden } from "../safety/redact.js";
import { sanitizeText } from "../safety/safe-text.js";
import { readScenarioPrompts } from "../../prompt-lab/replay/scenario-prompts.js";

export interface ExplainedRule {
  readonly rule: string;
  readonly action: string;
  /** `unknown`: undecidable, which permits nothing. */
  readonly matches: "yes" | "no" | "unknown";
  readonly why: string;
}

export interface Explanation {
  readonly shortId: string;
  readonly tool: string;
  readonly question: string;
  readonly verdict: string;
  readonly rule: string | null;
  readonly reason: string;
  readonly guard: string | null;
  readonly noGrant: string | null;
  readonly rules: readonly ExplainedRule[];
}

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

/** The contract of `policy test --json`. */
export interface PolicyTest {
  readonly verdict: Verdict["kind"];
  readonly rule: string | null;
  readonly reason: string;
}

export interface TestedCommand {
  readonly command: string;
  readonly tool: string;
  readonly cwd: string;
  readonly now: number;
}

export function testCommand(policy: CompiledPolicy, tested: TestedCommand): PolicyTest {
  const { tool, cwd, now } = tested;
  return testPrompt(policy, { event: buildPermission(tested), session: { tool, label: null, cwd }, now });
}

export function testPrompt(policy: CompiledPolicy, subject: PolicySubject): PolicyTest {
  const verdict = decide(policy, subject, createPolicyWorld(resolvePaths()), NO_USES);
  if (policy.mode === "off" && (verdict.kind === "answer" || verdict.kind === "deny"))
    return { verdict: "ask", rule: null, reason: `mode is off; else ${verdict.reason}` };
  return {
    verdict: verdict.kind,
    rule: verdict.rule === "default" ? null : verdict.rule,
    reason: verdict.reason,
  };
}

/** A permission prompt for that command, stamped as a worker stamps a tool's request. */
function buildPermission({ command, cwd, now }: TestedCommand): PromptEvent {
  const hidden = measureHidden([command]);
  const shown = sanitizeText(markCarriageReturns(command));
  return {
    promptId: asId("test"),
    sessionId: asId("test"),
    promptType: "multiple_choice",
    confidence: "high",
    score: 1,
    safetyClass: "permission",
    excerpt: "Run this command?",
    choices: [
      { label: "Yes", intent: "allow_once" },
      { label: "No", intent: "reject_once", takesText: "optional" },
    ],
    defaultChoice: null,
    constraints: { minChoice: 1, maxChoice: 2 },
    content: {
      text: shown,
      cut: null,
      ...(hidden !== null && { hidden }),
      call: { tool: "shell", input: { command: shown }, cwd },
    },
    contentHash: "test",
    fingerprint: asId("test"),
    epoch: 0,
    idempotencyKey: asId("test"),
    sources: [{ kind: "hook", name: "policy test" }],
    timestamp: formatInstant(now),
  };
}

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
