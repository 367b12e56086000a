/** `permission_prompt` → what people are asked. Pure. */
import type { CallRules } from "../../prompts/hook-permission.js";
import type { Asking } from "../../prompts/pending-request.js";
import { callAsking } from "../../prompts/permission-request.js";
import { PERMISSION_TOOL, type PermissionArguments } from "./tools.js";

/** Null when it cannot be shown and answered whole. `rules`: what is known of the agent's calls. */
export function permissionPromptAsking(
  { tool_name, input }: PermissionArguments,
  rules: CallRules | null,
  cwd: string,
): Asking | null {
  return callAsking({ request: PERMISSION_TOOL, tool: tool_name, input, cwd }, rules);
}
