/** How the tool of a run is brought to tell by itself what it asks: it is joined where that can be done, else it is told to call us. */
import type { Start } from "./supports-side-channel.js";
import { prepareHooks, type HookedStart } from "./prepare-hooks.js";
import { findAttachTarget, type AttachTarget } from "./prepare-join.js";

export interface Telling {
  readonly joined: AttachTarget | null;
  readonly hooked: HookedStart | null;
}

/**
 * Never both: what hooks tell, a joined tool tells as well; and settings of ours may change how a tool starts (codex, given any, starts
 * without the server that it could be joined by). Never rejects.
 */
export async function prepareSideChannel(start: Start): Promise<Telling> {
  const joined = await findAttachTarget(start);
  return { joined, hooked: joined ? null : await prepareHooks(start) };
}
