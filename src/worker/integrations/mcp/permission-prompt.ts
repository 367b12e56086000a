/** `permission_prompt` → what people are asked. Pure. */
import type { CallRules } from "../../prompts/tool-call-request.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import { permissionRequest } from "../../prompts/permission-request.js";
import { PERMISSION_TOOL, type PermissionArguments } from "./tools.js";

/** Null when it cannot be shown and answered whole. `rules`: what is known of the agent's calls. */
export function createPermissionPromptRequest(
  { tool_name, input }: PermissionArguments,
  rules: CallRules | null,
  cwd: string,
): PendingRequest | null {
  return permissionRequest({ request: PERMISSION_TOOL, tool: tool_name, input, cwd }, rules);
}
