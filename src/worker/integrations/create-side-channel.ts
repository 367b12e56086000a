/** Chooses the side channel by which a run learns more than the screen shows. */
import type { Clock } from "../../model/clock.js";
import type { CompiledAdapter } from "../adapter-format/compiled/compiled.js";
import { createHookSideChannel, type HookAccess } from "./hooks/hook-listener.js";
import type { AttachAccess } from "../runtimes/attachment/attachment.js";
import { AttachmentListener } from "../runtimes/attachment/attachment-listener.js";
import type { SideChannelSource } from "../runtimes/side-channel.js";

export interface SideChannelParts {
  readonly adapter: Pick<CompiledAdapter, "hooks">;
  readonly clock: Clock;
  readonly cwd: string;
  readonly hookAccess?: HookAccess | null;
  /** Null: we do not attach. A tool to which we attach calls no hooks. */
  readonly joinAccess?: AttachAccess | null;
}

/** Null: the tool has only its screen. */
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
