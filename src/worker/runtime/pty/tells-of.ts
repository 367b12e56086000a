/** Who hears what the tool of this run tells by itself. */
import { hookListener, type HookListenerOptions } from "./hook-listener.js";
import { JoinedListener } from "./joined/joined-listener.js";
import type { PtyAdapterOptions } from "./pty-adapter-options.js";
import type { ToolTells } from "./tool-tells.js";

/** Null: it tells nothing, or was not told to. */
export function tellsOf(
  { adapter, clock, cwd, hookAccess, joinAccess }: PtyAdapterOptions,
  parts: Omit<HookListenerOptions, "hooks" | "access" | "clock">,
): ToolTells | null {
  if (joinAccess) return new JoinedListener({ ...parts, clock, access: joinAccess, cwd });
  return hookListener(adapter.hooks, hookAccess ?? null, { ...parts, clock });
}
