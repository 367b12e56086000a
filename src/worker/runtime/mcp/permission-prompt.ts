/** `permission_prompt` → what people are asked. Pure. */
import type { CallRules } from "../../detect/ask.js";
import type { Asking } from "../asking.js";
import { callAsking } from "../call-asking.js";
import { PERMISSION_TOOL, type PermissionArguments } from "./tools.js";

/** Null when it cannot be shown and answered whole. `rules`: what is known of the agent's calls. */
export function permissionPromptAsking(
  { tool_name, input }: PermissionArguments,
  rules: CallRules | null,
  cwd: string,
): Asking | null {
  return callAsking({ request: PERMISSION_TOOL, tool: tool_name, input, cwd }, rules);
}
