/** A tool's request to be allowed one call → what people are asked: the call as a hook would bring it, answered in the same words. Pure. */
import { behaviourFor } from "./tool-call-decision.js";
import { readToolCall, type CallRules } from "./tool-call-request.js";
import type { Json } from "../../model/data/json.js";
import type { PendingRequest, RequestResult } from "./pending-request.js";

/** Of an agent whose calls no adapter file knows. */
const NO_RULES: CallRules = { calls: [], modes: {}, noInterrupts: false };

export interface RequestedCall {
  /** What the request is called. */
  readonly request: string;
  readonly tool: string;
  readonly input: Json;
  readonly cwd: string;
  /** What could be allowed for good, as the tool offers it; none where it does not. */
  readonly suggestions?: unknown;
}

/** Null when it cannot be shown and answered whole. `rules`: what is known of the agent's calls. */
export function permissionRequest(
  { request, tool, input, cwd, suggestions }: RequestedCall,
  rules: CallRules | null,
): PendingRequest | null {
  // A No ends no turn here: nobody sits before the agent to tell it what to do instead.
  const known = { ...(rules ?? NO_RULES), noInterrupts: false };
  const body = { tool_name: tool, tool_input: input, cwd, permission_suggestions: suggestions };
  const ask = readToolCall(known, request, body);
  if (!ask) return null;
  return {
    question: { ...ask, rule: request },
    answer: (given) => {
      const made = behaviourFor(ask, given);
      if (!("behavior" in made)) return made;
      // Older versions take no yes without the input that it is about.
      return { result: made.behavior === "allow" ? { updatedInput: input, ...made } : { ...made } };
    },
    cancelled: {},
    refused: denyResult("Nobody could be asked, or nobody answered in time."),
  };
}

export function denyResult(message: string): RequestResult {
  return { behavior: "deny", message };
}
