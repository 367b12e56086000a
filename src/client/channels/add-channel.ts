/** Pairs a channel: asks for the secret, shows a code, confirms at the terminal, then edits the configuration once and reloads it. */
import { writeFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  addPairing,
  readChannelSettings,
  readConfigText,
  setChannelSettings,
  writeConfigFile,
} from "../../config/edit.js";
import { parseConfig } from "../../config/load.js";
import { resolvePaths, type Paths } from "../../config/paths.js";
import { resolveSecrets } from "../../config/secrets.js";
import { findNearest } from "../../model/data/nearest.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { systemClock } from "../../observe/clock.js";
import type { Pairing, PairingAccount } from "../../sdk/channel.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import { channelLoaders } from "../../plugins/channels/channels.js";
import { findForeignEndpoint, createUnconfirmedError } from "../../plugins/channels/endpoints.js";
import type { TrustDialog } from "./trust-channel.js";
import { buildSchemaLine } from "../../plugins/schema-line.js";
import { withHub } from "../client.js";
import type { HubClient } from "../connect/meet-hub.js";
import { PRIVATE_FILE_MODE } from "../../config/private-files.js";

/** The steps that only the person at the terminal can do. */
export interface PairingDialog extends TrustDialog {
  /** Shows what to prepare before a secret exists. */
  show(text: string): void;
  /** Reads without echo. Errors: ATB_PAIRING_FAILED if there is no terminal to type at. */
  askSecret(question: string): Promise<string>;
  showCode(invitation: string, link: string | null): void;
  /** Returns the name for the configuration, or null if the code came from somebody else. */
  confirm(who: { readonly displayName: string; readonly identity: string }): Promise<string | null>;
}

export interface PairedChannel {
  readonly name: string;
  readonly identity: string;
  readonly config: string;
}

/** Null if the person at the terminal said no. Errors: ATB_CHANNEL_UNKNOWN, ATB_PAIRING_FAILED, ATB_CONFIG_*, ATB_HUB_UNREACHABLE. */
export async function addChannel(channel: string, dialog: PairingDialog): Promise<PairedChannel | null> {
  const paths = resolvePaths();
  const pairing = await loadPairing(channel);
  const settings = await collectSecrets(paths, channel, pairing, dialog);
  const config = resolveChannelConfig(paths, channel, settings);
  const endpoint = findForeignEndpoint(channel, config);
  if (endpoint && !(await dialog.confirmAddress(channel, endpoint.address)))
    throw createUnconfirmedError(channel, endpoint.address);
  // Checked before anything is written: an invalid token must not end up in the configuration.
  const account = await pairing.check(config, systemClock);
  const before = readConfigText(paths.config) || buildSchemaLine("config");
  const text = setChannelSettings(before, channel, settings);
  writeConfigFile(paths.config, text);
  const greet = async (place: string): Promise<void> => pairing.greet?.(config, place, systemClock);
  return withHub(paths, async (hub) => {
    if (endpoint) await hub.call("channel.trust", { channel, address: endpoint.address });
    return pairOver(hub, { paths, channel, account, dialog, greet });
  });
}

interface PairingParts {
  readonly paths: Paths;
  readonly channel: string;
  readonly account: PairingAccount;
  readonly dialog: PairingDialog;
  readonly greet: (place: string) => Promise<void>;
}

async function pairOver(hub: HubClient, parts: PairingParts): Promise<PairedChannel | null> {
  const { paths, channel, account, dialog, greet } = parts;
  await hub.call("hub.reload", {});
  const { code } = await hub.call("pairing.begin", { channel });
  dialog.showCode(account.invite(code), account.link(code));
  const { identity, displayName, place } = await hub.call("pairing.wait", { channel, code });
  const name = await dialog.confirm({ displayName, identity });
  if (name === null) return null;
  await greet(place);
  const person = { name, identity };
  const text = addPairing(readConfigText(paths.config), { channel, place: toPlaceValue(place), person });
  writeConfigFile(paths.config, text);
  await hub.call("hub.reload", {});
  return { ...person, config: paths.config };
}

async function loadPairing(channel: string): Promise<Pairing<never>> {
  const pairing = (await channelLoaders[channel]?.())?.pairing;
  if (pairing) return pairing;
  const names = Object.keys(channelSchemas);
  const meant = findNearest(channel, names);
  throw new AtlasBridgeError("ATB_CHANNEL_UNKNOWN", `there is no channel "${channel}" to pair with`, {
    hint: meant ? `Did you mean "${meant}"?` : `Available: ${names.join(", ")}.`,
  });
}

/** Returns references to the secrets for the configuration file. A typed secret goes into a file of its own. */
async function collectSecrets(
  paths: Paths,
  channel: string,
  pairing: Pairing<never>,
  dialog: PairingDialog,
): Promise<Record<string, string>> {
  const known = readChannelSettings(readConfigText(paths.config), channel);
  const settings: Record<string, string> = {};
  const missing = pairing.secrets.filter(
    ({ key, env }) => typeof known[key] !== "string" && !process.env[env],
  );
  if (missing.length > 0 && pairing.preparation !== undefined) dialog.show(pairing.preparation);
  for (const { key, question, env } of pairing.secrets) {
    const written = known[key];
    if (typeof written === "string") settings[key] = written;
    else if (process.env[env]) settings[key] = `\${${env}}`;
    else settings[key] = storeSecret(paths, `${channel}.${key}`, await dialog.askSecret(question));
  }
  return settings;
}

function storeSecret(paths: Paths, name: string, secret: string): string {
  const file = join(dirname(paths.config), name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${secret}\n`, { mode: PRIVATE_FILE_MODE });
  return `file:${name}`;
}

/** The channel's part of the configuration as its plugin will receive it, before it is written. */
function resolveChannelConfig(
  paths: Paths,
  channel: string,
  settings: Readonly<Record<string, string>>,
): never {
  const text = setChannelSettings(readConfigText(paths.config), channel, settings);
  const part = parseConfig(text, paths.config, channelSchemas).channels[channel];
  return resolveSecrets(part, { env: process.env, file: paths.config }, `channels.${channel}`) as never;
}

/** Telegram's chat ids are numbers in the file, as people see them there; other services use text. */
function toPlaceValue(place: string): string | number {
  const number = Number(place);
  return Number.isSafeInteger(number) ? number : place;
}
