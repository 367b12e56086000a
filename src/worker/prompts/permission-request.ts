/** Turns a protocol's request to allow one call into a prompt, in the same form as a hook's call, with the same results. Pure. */
import { decideToolCall } from "./tool-call-decision.js";
import { readToolCall, type CallRules } from "./tool-call-request.js";
import type { Json } from "../../model/data/json.js";
import type { PendingRequest, RequestResult } from "./pending-request.js";

/** For an agent whose calls no adapter file describes. */
const NO_RULES: CallRules = { calls: [], modes: {}, noInterrupts: false };

export interface RequestedCall {
  readonly request: string;
  readonly tool: string;
  readonly input: Json;
  readonly cwd: string;
  /** What the tool offers to allow permanently, if anything. */
  readonly suggestions?: unknown;
}

/** Returns null for a call that cannot be shown and answered completely. */
export function createCallPermission(
  { request, tool, input, cwd, suggestions }: RequestedCall,
  rules: CallRules | null,
): PendingRequest | null {
  // A No does not end the turn, because nobody sits at the agent's terminal to continue it.
  const known = { ...(rules ?? NO_RULES), noInterrupts: false };
  const body = { tool_name: tool, tool_input: input, cwd, permission_suggestions: suggestions };
  const call = readToolCall(known, request, body);
  if (!call) return null;
  return {
    prompt: { ...call, rule: request },
    answer: (given) => {
      const made = decideToolCall(call, given);
      if (!("behavior" in made)) return made;
      // Older versions take no yes without the input that it is about.
      return { result: made.behavior === "allow" ? { updatedInput: input, ...made } : { ...made } };
    },
    cancelled: {},
    refused: createDenyResult("Nobody could be asked, or nobody answered in time."),
  };
}

export function createUnshowableResult(): RequestResult {
  return createDenyResult("AtlasBridge cannot show this call, so nobody could judge it.");
}

export function createDenyResult(message: string): RequestResult {
  return { behavior: "deny", message };
}
