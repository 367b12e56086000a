/** `permission_prompt` → what people are asked: the call as a hook would bring it, answered in the same words. Pure. */
import { behaviourFor } from "../../answer/decision.js";
import { askOf, type CallRules } from "../../detect/ask.js";
import type { Asking, Result } from "../asking.js";
import { boundedContent } from "../content-limit.js";
import { PERMISSION_TOOL, type PermissionArguments } from "./tools.js";

/** Of an agent whose calls no adapter file knows. */
const NO_RULES: CallRules = { calls: [], modes: {}, noInterrupts: false };

/** Null when it cannot be shown and answered whole. `rules`: what is known of the agent's calls. */
export function permissionPromptAsking(
  { tool_name, input }: PermissionArguments,
  rules: CallRules | null,
  cwd: string,
): Asking | null {
  // A No ends no turn here: nobody sits before the agent to tell it what to do instead.
  const known = { ...(rules ?? NO_RULES), noInterrupts: false };
  const ask = askOf(known, PERMISSION_TOOL, { tool_name, tool_input: input, cwd });
  if (!ask) return null;
  const { text, call } = ask.content;
  const content = boundedContent(text, call ? { tool: call.tool, input: call.input, cwd } : null);
  return {
    question: { ...ask, rule: PERMISSION_TOOL, content },
    answer: (given) => {
      const made = behaviourFor(ask, given);
      if (!("behavior" in made)) return made;
      // Older versions take no yes without the input that it is about.
      return { result: made.behavior === "allow" ? { updatedInput: input, ...made } : { ...made } };
    },
    cancelled: {},
    refused: denied("Nobody can answer."),
  };
}

export function denied(message: string): Result {
  return { behavior: "deny", message };
}
