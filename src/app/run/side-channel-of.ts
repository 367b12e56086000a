/** Who hears what the tool of this run tells by itself. */
import { hookListener, type HookListenerOptions } from "../../worker/integrations/hooks/hook-listener.js";
import { AttachmentListener } from "../../worker/runtimes/attachment/attachment-listener.js";
import type { PtyAdapterOptions } from "../../worker/runtimes/terminal/pty-adapter-options.js";
import type { SideChannel } from "../../worker/runtimes/side-channel.js";

/** Null: it tells nothing, or was not told to. */
export function createSideChannel(
  { adapter, clock, cwd, hookAccess, joinAccess }: PtyAdapterOptions,
  parts: Omit<HookListenerOptions, "hooks" | "access" | "clock">,
): SideChannel | null {
  if (joinAccess) return new AttachmentListener({ ...parts, clock, access: joinAccess, cwd });
  return hookListener(adapter.hooks, hookAccess ?? null, { ...parts, clock });
}
