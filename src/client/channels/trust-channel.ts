/** `channel trust`: a person confirms that a channel's tokens may go to a custom address. */
import { readChannelSettings, readConfigText } from "../../config/edit.js";
import { resolvePaths, type Paths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { withHub } from "../client.js";
import { readVariables } from "../request-reload.js";
import { loadPairing } from "./load-pairing.js";
import { isInsideSession } from "../connect/start-hub.js";

export interface TrustDialog {
  /** Errors: ATB_ENDPOINT_UNCONFIRMED if nobody sits at a terminal. */
  confirmAddress(channel: string, address: string): Promise<boolean>;
}

export type TrustResult =
  { readonly kind: "built_in" } | { readonly kind: "confirmed" | "refused"; readonly address: string };

/** Errors: ATB_SUPERVISED inside a session; ATB_CHANNEL_UNKNOWN, ATB_CONFIG_*, ATB_ENDPOINT_UNCONFIRMED. */
export async function trustChannel(channel: string, dialog: TrustDialog): Promise<TrustResult> {
  if (isInsideSession())
    throw new AtlasBridgeError(
      "ATB_SUPERVISED",
      "a token's address cannot be confirmed from inside a session",
      { hint: "Use a terminal outside of any session." },
    );
  const paths = resolvePaths();
  await requireToken(paths, channel);
  return withHub(paths, async (hub) => {
    const { address, confirmed } = await hub.call("channel.trust", { channel, address: null });
    if (address === null) return { kind: "built_in" };
    if (confirmed) return { kind: "confirmed", address };
    if (!(await dialog.confirmAddress(channel, address))) return { kind: "refused", address };
    await hub.call("channel.trust", { channel, address });
    return { kind: "confirmed", address };
  });
}

/** Without one, the schema's complaint about the missing token would not say that `setup` asks for it. */
async function requireToken(paths: Paths, channel: string): Promise<void> {
  const { secrets } = await loadPairing(channel);
  const settings = readChannelSettings(readConfigText(paths.config), channel);
  if (Object.keys(settings).length === 0 || secrets.every(({ key }) => settings[key] !== undefined)) return;
  throw new AtlasBridgeError(
    "ATB_CHANNEL_UNKNOWN",
    `${channel} has no token yet, and only a token needs this`,
    {
      hint: `Run \`atlasbridge setup ${channel}\`: it asks for the token, and whether the address is yours.`,
    },
  );
}

/** Only the hub knows: an address is confirmed for exactly one set of tokens, here this shell's. Errors: ATB_CHANNEL_UNKNOWN, ATB_CONFIG_*, ATB_HUB_*. */
export async function isAddressConfirmed(paths: Paths, channel: string): Promise<boolean> {
  const question = { channel, address: null, variables: readVariables(paths) };
  return (await withHub(paths, (hub) => hub.call("channel.trust", question))).confirmed;
}
