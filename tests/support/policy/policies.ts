import { normalize } from "node:path";
import { decide } from "../../../src/hub/policy/decide.js";
import type { CompiledPolicy } from "../../../src/hub/policy/compile.js";
import { parsePolicy } from "../../../src/hub/policy/load-policy.js";
import type { PolicySession, PolicyWorld } from "../../../src/hub/policy/subject.js";
import { NO_USES, type RuleUses, type Verdict } from "../../../src/hub/policy/verdict.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import { promptEvent } from "../prompts.js";

export const WORLD: PolicyWorld = {
  home: "/home/ara",
  resolveLinks: (path) => normalize(path).replace("/home/ara/link", "/etc"),
  ownPaths: ["/home/ara/.config/atlasbridge", "/home/ara/.local/share/atlasbridge"],
};

export const SESSION: PolicySession = { tool: "claude", label: null, cwd: "/home/ara/project" };

export function parseRules(rules: string, head = "mode: full"): CompiledPolicy {
  return parsePolicy(`version: 1\n${head}\nrules:\n${rules}`, "policy.yaml", null);
}

const CHOICES: PromptEvent["choices"] = [
  { label: "Yes", intent: "allow_once" },
  { label: "Yes, and don't ask again", intent: "allow_always" },
  { label: "No", intent: "reject_once" },
];

/** A permission prompt of a tool call, as a hook reports it. */
export function callPrompt(tool: string, input: object, over: Partial<PromptEvent> = {}): PromptEvent {
  return promptEvent({
    promptType: "multiple_choice",
    safetyClass: "permission",
    confidence: "high",
    excerpt: "Allow this?",
    choices: CHOICES,
    constraints: { minChoice: 1, maxChoice: 3 },
    content: { text: JSON.stringify(input), cut: null, call: { tool, input } },
    ...over,
  });
}

export function commandPrompt(command: string, over: Partial<PromptEvent> = {}): PromptEvent {
  const content = { text: command, cut: null, call: { tool: "Bash", input: { command } } };
  return callPrompt("Bash", { command }, { content, ...over });
}

export function judge(
  policy: CompiledPolicy,
  event: PromptEvent,
  over: { session?: Partial<PolicySession>; world?: PolicyWorld; uses?: RuleUses; now?: number } = {},
): Verdict {
  const session = { ...SESSION, ...over.session };
  return decide(policy, { event, session, now: over.now ?? 0 }, over.world ?? WORLD, over.uses ?? NO_USES);
}
