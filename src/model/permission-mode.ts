/** How an agent's permission requests are answered: `ask` asks people, the others answer automatically where they can. */
export const PERMISSION_MODES = ["ask", "deny_all", "allowlist", "auto_approve"] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];
