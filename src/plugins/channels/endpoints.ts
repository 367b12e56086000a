/**
 * Custom service addresses. Whoever can write the configuration could send the token to another server, so a person confirms the address at
 * a terminal first (ADR 31).
 */
import { createHash } from "node:crypto";
import { findForeignSlack } from "../../../channels/slack/endpoint.js";
import { findForeignTelegram } from "../../../channels/telegram/endpoint.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { ForeignEndpoint } from "../../sdk/channel.js";
import { makePrintable } from "../../sdk/text.js";
import type { ConfigurableChannel } from "./channel-schemas.js";

/** Returns null for a channel without a custom address. */
const FOREIGN: Readonly<Record<ConfigurableChannel, ((settings: never) => ForeignEndpoint | null) | null>> = {
  telegram: findForeignTelegram,
  slack: findForeignSlack,
};

export function findForeignEndpoint(channel: string, settings: unknown): ForeignEndpoint | null {
  return isConfigurable(channel) ? (FOREIGN[channel]?.(settings as never) ?? null) : null;
}

function isConfigurable(channel: string): channel is ConfigurableChannel {
  return Object.hasOwn(FOREIGN, channel);
}

/** The setting in which a channel stores the confirmed address. */
export const CONFIRMED_KEY = "confirmed_endpoint";

/** Enough to recognize tokens, too little to reveal them. */
const FINGERPRINT_LENGTH = 16;

/** A change of address or tokens needs a new confirmation. */
export function buildConfirmation({ address, secrets }: ForeignEndpoint): string {
  const digest = createHash("sha256").update(JSON.stringify(secrets)).digest("hex");
  return JSON.stringify({ address, tokens: digest.slice(0, FINGERPRINT_LENGTH) });
}

const ADDRESS_MAX = 200;

/** The file may contain any text. */
export function sanitizeAddress(address: string): string {
  return makePrintable(address, ADDRESS_MAX);
}

export function describeHowToConfirm(channel: string): string {
  return `If it is your own server, run \`atlasbridge channel trust ${channel}\` in a terminal; otherwise remove the address from the configuration.`;
}

export function describeUnconfirmed(address: string): string {
  return `${describeForeignAddress(address)} (ATB_ENDPOINT_UNCONFIRMED)`;
}

function describeForeignAddress(address: string): string {
  return `its token may not go to the unconfirmed address ${sanitizeAddress(address)}`;
}

export function createUnconfirmedError(
  channel: string,
  address: string,
  hint = describeHowToConfirm(channel),
): AtlasBridgeError {
  const problem = `${channel}: ${describeForeignAddress(address)}`;
  return new AtlasBridgeError("ATB_ENDPOINT_UNCONFIRMED", problem, { hint });
}
