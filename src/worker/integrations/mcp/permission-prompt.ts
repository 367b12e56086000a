/** Turns `permission_prompt`, and input for a console, into pending requests. Pure. */
import { TYPING_ALLOWED, type TypingPrompt } from "../../../model/console-call.js";
import { PLAIN_NO } from "../../prompts/tool-call-decision.js";
import type { CallRules } from "../../prompts/tool-call-request.js";
import { createRequestPrompt, type PendingRequest } from "../../prompts/pending-request.js";
import { createCallPermission, createDenyResult } from "../../prompts/permission-request.js";
import { PERMISSION_TOOL, type PermissionArguments } from "./tools.js";

export function createPermissionPromptRequest(
  { tool_name, input }: PermissionArguments,
  rules: CallRules | null,
  cwd: string,
): PendingRequest | null {
  return createCallPermission({ request: PERMISSION_TOOL, tool: tool_name, input, cwd }, rules);
}

export function createTypingRequest({ content, ...shown }: TypingPrompt): PendingRequest {
  const { text, call } = content;
  return {
    prompt: createRequestPrompt({ ...shown, rule: PERMISSION_TOOL, text, call }),
    // The hub types only what it has recorded as allowed; this result is just for the agent.
    answer: ({ value, text: reason }) => ({
      result: value === TYPING_ALLOWED ? { behavior: "allow" } : createDenyResult(reason || PLAIN_NO),
    }),
    cancelled: {},
    refused: createDenyResult("Nobody could be asked, or nobody answered in time."),
  };
}
