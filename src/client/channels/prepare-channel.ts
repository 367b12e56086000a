/** The first half of a pairing: asks for a channel's secrets, has the service check them, and only then writes them. */
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
import type {
  ForeignEndpoint,
  GroupFacts,
  Pairing,
  PairingAccount,
  PairingSecret,
} from "../../sdk/channel.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import type { AnyChannelPlugin } from "../../plugins/channels/channels.js";
import { findForeignEndpoint, createUnconfirmedError } from "../../plugins/channels/endpoints.js";
import { buildSchemaLine } from "../../plugins/schema-line.js";
import { loadPlugin } from "./load-pairing.js";
import { isAddressConfirmed, type TrustDialog } from "./trust-channel.js";

export interface SecretDialog extends TrustDialog {
  showPreparation(preparation: Preparation): void;
  /** How many secrets are given in files; they replace stored ones. */
  readonly namedSecrets: number;
  /** Reads without echo. Errors: ATB_PAIRING_FAILED if there is nobody to ask. */
  askSecret(question: string): Promise<string>;
  /** Shows why the service refused the secrets. True if a person can enter them again. */
  offerRetry(problem: AtlasBridgeError): boolean;
}

export interface Preparation {
  readonly text: string;
  readonly link: string | null;
}

export interface PreparedChannel {
  readonly channel: string;
  readonly account: PairingAccount;
  /** The custom address, or null for the service's own. */
  readonly endpoint: ForeignEndpoint | null;
  /** Posts `text` there. Errors: ATB_PAIRING_FAILED, ATB_CHANNEL_UNREACHABLE. */
  greet(place: string, text: string): Promise<void>;
  describeGroup(place: string): Promise<GroupFacts | null>;
  /** The only reader there; null if unknown or if there are several. */
  findReader(place: string): string | null;
}

/** `reference`: as the configuration has it. `typed`: a value that is stored in a file once the service accepts it. */
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
  const { pairing, personAt } = await loadPlugin(channel);
  const parts = { paths, channel, pairing, personAt, dialog, confirmed: new Set<string>() };
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
  readonly personAt: AnyChannelPlugin["personAt"];
  readonly dialog: SecretDialog;
  readonly confirmed: Set<string>;
}

/** Writes nothing before the service has accepted the secrets. */
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
    findReader: (place) => parts.personAt?.(place) ?? null,
    describeGroup: async (place) => (await pairing.describeGroup?.(config, place, systemClock)) ?? null,
  };
}

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

/** If no hub can say it, the person is asked again. */
async function isKnownAsConfirmed(paths: Paths, channel: string): Promise<boolean> {
  try {
    return await isAddressConfirmed(paths, channel);
  } catch (error) {
    if (error instanceof AtlasBridgeError) return false;
    throw error;
  }
}

/** Uses what the configuration or the environment has, unless each secret is given in a file, and asks for the rest. */
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
  // It is unclear which stored secret the file replaces.
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

/** The same token again keeps its confirmed address. */
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

/** The channel's settings as its plugin will get them, before they are written. */
function resolveChannelConfig(paths: Paths, channel: string, secrets: readonly Secret[]): never {
  // Typed values are inserted after references are resolved, so that `${…}` or `file:` in them has no effect.
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
