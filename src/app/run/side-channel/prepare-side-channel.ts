/** How the tool of a run is brought to tell by itself what it asks: it is joined where that can be done, else it is told to call us. */
import type { Start } from "./supports-side-channel.js";
import { prepareHooks, type HookedStart } from "./prepare-hooks.js";
import type { AttachTarget } from "../../../worker/runtimes/attachment/attachment.js";
import { findAttachTarget } from "./find-attach-target.js";

export interface PreparedSideChannel {
  readonly joined: AttachTarget | null;
  readonly hooked: HookedStart | null;
}

/**
 * Never both: what hooks tell, a joined tool tells as well; and settings of ours may change how a tool starts (one that is given any
 * may start without the server that it could be attached by). Never rejects.
 */
export async function prepareSideChannel(start: Start): Promise<PreparedSideChannel> {
  const joined = await findAttachTarget(start);
  return { joined, hooked: joined ? null : await prepareHooks(start) };
}
