/**
 * Addresses of services that are not the built-in ones: whoever can write the configuration can name their own, and would get the token.
 * No token goes there before a person said at a terminal that it may (ADR 31).
 */
import { createHash } from "node:crypto";
import { foreignSlack } from "../../../channels/slack/config.js";
import { foreignTelegram } from "../../../channels/telegram/config.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { ForeignEndpoint } from "../../sdk/channel.js";
import { printable } from "../../sdk/text.js";
import type { ConfigurableChannel } from "./channel-schemas.js";

/** One line a channel: how its configured address is read, or null for a channel that has none to configure. */
const FOREIGN: Readonly<Record<ConfigurableChannel, ((settings: never) => ForeignEndpoint | null) | null>> = {
  telegram: foreignTelegram,
  slack: foreignSlack,
};

/** Null where the tokens go to the service's own address. */
export function foreignEndpointOf(channel: string, settings: unknown): ForeignEndpoint | null {
  return isConfigurable(channel) ? (FOREIGN[channel]?.(settings as never) ?? null) : null;
}

function isConfigurable(channel: string): channel is ConfigurableChannel {
  return Object.hasOwn(FOREIGN, channel);
}

/** Under which a channel's own settings hold what was confirmed. */
export const CONFIRMED_KEY = "confirmed_endpoint";

/** Enough to know tokens again, and too little to learn them. */
const FINGERPRINT_LENGTH = 16;

/** What is confirmed: this address for these tokens. Another of either asks again. */
export function confirmationOf({ address, secrets }: ForeignEndpoint): string {
  const digest = createHash("sha256").update(JSON.stringify(secrets)).digest("hex");
  return JSON.stringify({ address, tokens: digest.slice(0, FINGERPRINT_LENGTH) });
}

/** A line of a terminal or two. */
const ADDRESS_MAX = 200;

/** It comes from a file that anybody may have written. */
export function shownAddress(address: string): string {
  return printable(address, ADDRESS_MAX);
}

export function howToConfirm(channel: string): string {
  return `If it is your own server, run \`atlasbridge channel trust ${channel}\` in a terminal; if not, take the address out of the configuration.`;
}

/** In words for `status` and `doctor`. */
export function unconfirmedText(address: string): string {
  return `nobody has confirmed that its token may go to ${shownAddress(address)} (ATB_ENDPOINT_UNCONFIRMED)`;
}

export function unconfirmedEndpoint(channel: string, address: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_ENDPOINT_UNCONFIRMED", `${channel}: ${unconfirmedText(address)}`, {
    hint: howToConfirm(channel),
  });
}
