/** How an agent's permission requests are answered: `ask` asks people, the others answer automatically where they can. */
export const PERMISSION_MODES = ["ask", "deny_all", "allowlist", "auto_approve"] as const;
/** Another program's name for `ask`; refused with a hint, so that there is only one name. */
const ASK_ELSEWHERE = "interactive";

/** The error text for a word that is no mode. */
export function describeModes(given: unknown): string {
  return given === ASK_ELSEWHERE
    ? `expected "ask" (here that is what asks a person)`
    : `expected one of ${PERMISSION_MODES.join(", ")}`;
}

export type PermissionMode = (typeof PERMISSION_MODES)[number];
