/** `channel trust`: a person at a terminal confirms that the tokens of a channel may go to an address that is not the built-in one. */
import { resolvePaths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { withHub } from "../client.js";
import { isInsideSession } from "../connect/start-hub.js";

export interface TrustDialog {
  /** Errors: ATB_ENDPOINT_UNCONFIRMED where nobody sits at a terminal. */
  confirmAddress(channel: string, address: string): Promise<boolean>;
}

export type Trusted =
  { readonly kind: "built_in" } | { readonly kind: "confirmed" | "refused"; readonly address: string };

/** Errors: ATB_SUPERVISED inside a session; ATB_CHANNEL_UNKNOWN, ATB_CONFIG_*, ATB_ENDPOINT_UNCONFIRMED. */
export async function trustChannel(channel: string, dialog: TrustDialog): Promise<Trusted> {
  refuseInside();
  return withHub(resolvePaths(), async (hub) => {
    const { address } = await hub.call("channel.trust", { channel, address: null });
    if (address === null) return { kind: "built_in" };
    if (!(await dialog.confirmAddress(channel, address))) return { kind: "refused", address };
    await hub.call("channel.trust", { channel, address });
    return { kind: "confirmed", address };
  });
}

function refuseInside(): void {
  if (!isInsideSession()) return;
  throw new AtlasBridgeError("ATB_SUPERVISED", "where tokens go is not confirmed from inside a session", {
    hint: "Use a terminal that no session runs in.",
  });
}
