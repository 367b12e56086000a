/** Where people look for what AtlasBridge does not know. Pure. */

/**
 * The part of a session that decides it. `underTool`: an agent started AtlasBridge as its MCP server, and no terminal shows its
 * prompts.
 */
export interface AskingSession {
  readonly capabilities: { readonly underTool?: boolean | undefined };
}

/** A whole sentence. */
export function describeCheck(session: AskingSession | null): string {
  return session?.capabilities.underTool === true
    ? "Check with the agent that asked."
    : "Check the terminal.";
}
