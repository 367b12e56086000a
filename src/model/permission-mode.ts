/** What becomes of permissions that an agent asks for: `ask` asks people, the others answer by themselves what they can. */
export const PERMISSION_MODES = ["ask", "deny_all", "allowlist", "auto_approve"] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];
