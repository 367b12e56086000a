/** Chooses how a run's tool reports its prompts: attached if possible, otherwise through hooks. */
import type { SideChannelStart } from "./supports-side-channel.js";
import { prepareHooks, type HookedStart } from "./prepare-hooks.js";
import type { AttachTarget } from "../../../worker/runtimes/attachment/attachment.js";
import { findAttachTarget } from "./find-attach-target.js";

export interface PreparedSideChannel {
  readonly joined: AttachTarget | null;
  readonly hooked: HookedStart | null;
}

/**
 * Never both: an attached tool reports the same as hooks do, and our settings may change how a tool starts (a tool with custom
 * settings may start without the server to attach to). Never rejects.
 */
export async function prepareSideChannel(start: SideChannelStart): Promise<PreparedSideChannel> {
  const joined = await findAttachTarget(start);
  return { joined, hooked: joined ? null : await prepareHooks(start) };
}
