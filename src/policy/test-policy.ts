/** `policy test`: what a policy file says about a prompt that nobody asked. */
import { resolvePaths } from "../config/paths.js";
import { decide } from "../hub/policy/decide.js";
import type { CompiledPolicy } from "../hub/policy/compile.js";
import type { PolicySubject } from "../hub/policy/subject.js";
import { NO_USES, type Verdict } from "../hub/policy/verdict.js";
import { formatInstant } from "../model/clock.js";
import { asId } from "../model/ids.js";
import type { PromptEvent } from "../model/prompt.js";
import { markCarriageReturns } from "../safety/display.js";
import { measureHidden } from "../safety/redact.js";
import { sanitizeText } from "../safety/safe-text.js";
import { createPolicyWorld } from "./policy-world.js";

/** The contract of `policy test --json`. */
export interface PolicyTest {
  readonly verdict: Verdict["kind"];
  readonly rule: string | null;
  readonly reason: string;
}

export interface TestedCommand {
  readonly command: string;
  /** The supervised tool. */
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
