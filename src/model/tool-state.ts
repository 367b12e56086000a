/** What the tool is doing, as far as screen and signals tell. */
export const TOOL_STATES = ["starting", "working", "waiting", "idle", "ended"] as const;
export type ToolState = (typeof TOOL_STATES)[number];
