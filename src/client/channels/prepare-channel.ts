/** The first half of a pairing: collects a channel's secrets, has the service check them, and only then writes them down. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  readChannelSettings,
  readConfigText,
  setChannelSettings,
  writeConfigFile,
} from "../../config/edit.js";
import { parseConfig } from "../../config/load.js";
import type { Paths } from "../../config/paths.js";
import { PRIVATE_FILE_MODE } from "../../config/private-files.js";
import { resolveSecrets } from "../../config/secrets.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { systemClock } from "../../observe/clock.js";
import type { ForeignEndpoint, Pairing, PairingAccount, PairingSecret } from "../../sdk/channel.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import { findForeignEndpoint, createUnconfirmedError } from "../../plugins/channels/endpoints.js";
import { buildSchemaLine } from "../../plugins/schema-line.js";
import { loadPairing } from "./load-pairing.js";
import { isAddressConfirmed, type TrustDialog } from "./trust-channel.js";

/** The steps of the preparation that only the person at the terminal can do. */
export interface SecretDialog extends TrustDialog {
  /** Shows what to prepare before a secret exists. */
  showPreparation(preparation: Preparation): void;
  /** How many secrets are named to it, in files: these win over what is stored. */
  readonly namedSecrets: number;
  /** Reads without echo. Errors: ATB_PAIRING_FAILED if there is nobody to ask. */
  askSecret(question: string): Promise<string>;
  /** Tells why the service did not accept the secrets. True if a person is there to enter them again. */
  offerRetry(problem: AtlasBridgeError): boolean;
}

export interface Preparation {
  readonly text: string;
  /** A page that people open on their phones, or null. */
  readonly link: string | null;
}

/** A channel whose secrets the service has accepted and that is written in the configuration. */
export interface PreparedChannel {
  readonly channel: string;
  readonly account: PairingAccount;
  /** A custom address that the person has just confirmed, or null. */
  readonly endpoint: ForeignEndpoint | null;
  /** Posts `text` there. Errors: ATB_PAIRING_FAILED, ATB_CHANNEL_UNREACHABLE. */
  greet(place: string, text: string): Promise<void>;
}

/** A secret and its form in the configuration: a reference, or (null) a value that is stored in a file once it is accepted. */
interface Secret {
  readonly key: string;
  readonly reference: string | null;
  readonly typed: string | null;
}

/** Errors: ATB_CHANNEL_UNKNOWN, ATB_PAIRING_FAILED, ATB_CHANNEL_UNREACHABLE, ATB_CONFIG_*, ATB_ENDPOINT_UNCONFIRMED. */
export async function prepareChannel(
  paths: Paths,
  channel: string,
  dialog: SecretDialog,
): Promise<PreparedChannel> {
  const pairing = await loadPairing(channel);
  const parts = { paths, channel, pairing, dialog, confirmed: new Set<string>() };
  let secrets = await collectSecrets(paths, channel, pairing, dialog);
  for (;;) {
    try {
      return await acceptSecrets(parts, secrets);
    } catch (error) {
      if (!(error instanceof AtlasBridgeError) || error.code !== "ATB_PAIRING_FAILED") throw error;
      if (!dialog.offerRetry(error)) throw error;
      secrets = await askSecrets(pairing.secrets, dialog);
    }
  }
}

interface ChannelParts {
  readonly paths: Paths;
  readonly channel: string;
  readonly pairing: Pairing<never>;
  readonly dialog: SecretDialog;
  /** Addresses that the person has confirmed: nobody is asked twice. */
  readonly confirmed: Set<string>;
}

/** Writes nothing unless the service knows the secrets: a wrong token must not stay in any file. */
async function acceptSecrets(parts: ChannelParts, secrets: readonly Secret[]): Promise<PreparedChannel> {
  const { paths, channel, pairing } = parts;
  const config = resolveChannelConfig(paths, channel, secrets);
  const endpoint = findForeignEndpoint(channel, config);
  if (endpoint) await confirmAddress(parts, endpoint.address, secrets);
  const account = await pairing.check(config, systemClock);
  const settings = Object.fromEntries(
    secrets.map(({ key, reference, typed }) => [
      key,
      reference ?? storeSecret(paths, `${channel}.${key}`, typed ?? ""),
    ]),
  );
  const before = readConfigText(paths.config);
  const text = setChannelSettings(before || buildSchemaLine("config"), channel, settings);
  if (text !== before) writeConfigFile(paths.config, text);
  return {
    channel,
    account,
    endpoint,
    greet: async (place, words) => pairing.greet?.(config, place, words, systemClock),
  };
}

/** Errors: ATB_ENDPOINT_UNCONFIRMED. */
async function confirmAddress(
  { paths, channel, dialog, confirmed }: ChannelParts,
  address: string,
  secrets: readonly Secret[],
): Promise<void> {
  if (confirmed.has(address)) return;
  const known = readChannelSettings(readConfigText(paths.config), channel);
  const isWritten = secrets.every(({ key, reference }) => reference !== null && known[key] === reference);
  if (isWritten && (await isKnownAsConfirmed(paths, channel))) return;
  if (!(await dialog.confirmAddress(channel, address)))
    throw createUnconfirmedError(channel, address, AFTER_NO);
  confirmed.add(address);
}

/** Where nobody knows, the person is asked once more. */
async function isKnownAsConfirmed(paths: Paths, channel: string): Promise<boolean> {
  try {
    return await isAddressConfirmed(paths, channel);
  } catch (error) {
    if (error instanceof AtlasBridgeError) return false;
    throw error;
  }
}

/** What the configuration or the environment holds is used, unless the caller names each secret; the rest is asked for. */
async function collectSecrets(
  paths: Paths,
  channel: string,
  { secrets, preparation, preparationLink }: Pairing<never>,
  dialog: SecretDialog,
): Promise<Secret[]> {
  const known = readChannelSettings(readConfigText(paths.config), channel);
  const found = secrets.map(({ key, env }): Secret => {
    const written = known[key];
    const reference = typeof written === "string" ? written : process.env[env] ? `\${${env}}` : null;
    return { key, reference, typed: null };
  });
  const missing = secrets.filter((_, at) => found[at]?.reference === null);
  if (dialog.namedSecrets >= secrets.length) {
    const named = await askSecrets(secrets, dialog);
    return named.map((secret, at) => (isStored(paths, found[at], secret) ? (found[at] ?? secret) : secret));
  }
  // Nobody could tell which of the stored ones the file is meant to replace.
  if (dialog.namedSecrets > missing.length)
    throw new AtlasBridgeError(
      "ATB_PAIRING_FAILED",
      `${channel} has a stored token, so a token file is unused`,
      {
        hint: `To replace what is stored, name a file for each of its ${secrets.length} secrets.`,
      },
    );
  if (missing.length > 0 && preparation !== undefined)
    dialog.showPreparation({ text: preparation, link: preparationLink ?? null });
  const typed = await askSecrets(missing, dialog);
  return found.map((secret) => typed.find(({ key }) => key === secret.key) ?? secret);
}

/** Repeated with the same token, its address stays confirmed. */
function isStored(paths: Paths, stored: Secret | undefined, { key, typed }: Secret): boolean {
  if (stored === undefined || stored.reference === null) return false;
  try {
    return resolveSecrets(stored.reference, { env: process.env, file: paths.config }, key) === typed;
  } catch (error) {
    if (error instanceof AtlasBridgeError) return false;
    throw error;
  }
}

async function askSecrets(secrets: readonly PairingSecret[], dialog: SecretDialog): Promise<Secret[]> {
  const typed: Secret[] = [];
  for (const { key, question } of secrets)
    typed.push({ key, reference: null, typed: await dialog.askSecret(question) });
  return typed;
}

function storeSecret(paths: Paths, name: string, secret: string): string {
  const file = join(dirname(paths.config), name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${secret}\n`, { mode: PRIVATE_FILE_MODE });
  return `file:${name}`;
}

/** The channel's part of the configuration as its plugin will receive it, before anything is written. */
function resolveChannelConfig(paths: Paths, channel: string, secrets: readonly Secret[]): never {
  // What was typed is put in after references are resolved: `${…}` or `file:` in it means nothing.
  const settings = Object.fromEntries(secrets.map(({ key, reference }) => [key, reference ?? UNRESOLVED]));
  const text = setChannelSettings(readConfigText(paths.config), channel, settings);
  const part = parseConfig(text, paths.config, channelSchemas).channels[channel];
  const typed = Object.fromEntries(
    secrets.flatMap((each) => (each.typed === null ? [] : [[each.key, each.typed]])),
  );
  const source = { env: process.env, file: paths.config };
  return { ...(resolveSecrets(part, source, `channels.${channel}`) as object), ...typed } as never;
}

const AFTER_NO = "Nothing was sent there. Remove the address from the configuration, or begin again.";

const UNRESOLVED = "typed";
