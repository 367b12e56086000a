/** Chooses the side channel of a tool that a run listens to. */
import type { Clock } from "../../model/clock.js";
import type { CompiledAdapter } from "../adapter-format/compiled/compiled.js";
import { createHookSideChannel, type HookAccess } from "./hooks/hook-listener.js";
import type { AttachAccess } from "../runtimes/attachment/attachment.js";
import { AttachmentListener } from "../runtimes/attachment/attachment-listener.js";
import type { SideChannelSource } from "../runtimes/side-channel.js";

export interface SideChannelParts {
  readonly adapter: Pick<CompiledAdapter, "hooks">;
  readonly clock: Clock;
  /** The tool's working directory. */
  readonly cwd: string;
  /** Where the tool was told to call its hooks, or null. */
  readonly hookAccess?: HookAccess | null;
  /** How we attach to it, or null. A tool that we attach to is told to call no hooks. */
  readonly joinAccess?: AttachAccess | null;
}

/** Null where the tool says nothing besides its screen. */
export function createSideChannel({
  adapter,
  clock,
  cwd,
  hookAccess = null,
  joinAccess = null,
}: SideChannelParts): SideChannelSource | null {
  if (joinAccess) {
    const options = { clock, access: joinAccess, cwd };
    return { previews: null, open: (host) => new AttachmentListener({ ...host, ...options }) };
  }
  return adapter.hooks && hookAccess ? createHookSideChannel(adapter.hooks, hookAccess, clock) : null;
}
