import type { SideChannelStart } from "./supports-side-channel.js";
import { prepareHooks, type HookedStart } from "./prepare-hooks.js";
import type { AttachTarget } from "../../../worker/runtimes/attachment/attachment.js";
import { findAttachTarget } from "./find-attach-target.js";

export interface PreparedSideChannel {
  readonly joined: AttachTarget | null;
  readonly hooked: HookedStart | null;
}

/**
 * Attaches to the tool if possible, otherwise uses hooks, but never both: our settings may make a tool start without its server. Never
 * rejects.
 */
export async function prepareSideChannel(start: SideChannelStart): Promise<PreparedSideChannel> {
  const joined = await findAttachTarget(start);
  return { joined, hooked: joined ? null : await prepareHooks(start) };
}
