/** Pairs a person or a group with a channel: they send a code, and the person at the terminal confirms the sender. */
import { addPairing, readConfigText, writeConfigFile } from "../../config/edit.js";
import { resolvePaths, type Paths } from "../../config/paths.js";
import { withHub } from "../client.js";
import type { HubClient } from "../connect/meet-hub.js";
import { listTools } from "../setup/asking-tools.js";
import { writeGreeting } from "../setup/greeting.js";
import { prepareChannel, type PreparedChannel, type SecretDialog } from "./prepare-channel.js";

export interface CodeSender {
  readonly displayName: string;
  readonly identity: string;
  readonly place: string;
}

export interface PairingDialog {
  showCode(code: ShownCode): void;
  /** Returns the name for the configuration; null if somebody else sent the code. */
  confirm(sender: CodeSender): Promise<string | null>;
}

export interface ShownCode {
  readonly invitation: string;
  /** A link that sends the code, or null. */
  readonly link: string | null;
  /** How to pair a group instead, or null. */
  readonly groupInvitation: string | null;
}

export interface PairedPerson {
  readonly name: string;
  readonly identity: string;
  readonly place: string;
}

export interface PairedChannel extends PairedPerson {
  readonly config: string;
}

/** Null if the person at the terminal said no. Errors: those of `prepareChannel` and `pairWithChannel`. */
export async function addChannel(
  channel: string,
  dialog: SecretDialog & PairingDialog,
): Promise<PairedChannel | null> {
  const paths = resolvePaths();
  const paired = await pairWithChannel(paths, await prepareChannel(paths, channel, dialog), dialog);
  return paired && { ...paired, config: paths.config };
}

/**
 * Null if the person at the terminal said no. Errors: ATB_PAIRING_FAILED, ATB_CHANNEL_UNREACHABLE, ATB_HUB_*, ATB_CONFIG_*.
 */
export async function pairWithChannel(
  paths: Paths,
  prepared: PreparedChannel,
  dialog: PairingDialog,
): Promise<PairedPerson | null> {
  const { channel, endpoint } = prepared;
  const tools = await listTools(paths);
  return withHub(paths, async (hub) => {
    if (endpoint) await hub.call("channel.trust", { channel, address: endpoint.address });
    await hub.call("hub.reload", {});
    const sender = await awaitCode(hub, prepared, dialog);
    const name = await dialog.confirm(sender);
    if (name === null) return null;
    const { identity, place } = sender;
    // Before the configuration is written, because the chat may refuse messages.
    await prepared.greet(place, writeGreeting(name, tools));
    const person = { name, identity };
    const text = addPairing(readConfigText(paths.config), { channel, place: toPlaceValue(place), person });
    writeConfigFile(paths.config, text);
    await hub.call("hub.reload", {});
    return { ...person, place };
  });
}

async function awaitCode(
  hub: HubClient,
  { channel, account }: PreparedChannel,
  dialog: PairingDialog,
): Promise<CodeSender> {
  const { code } = await hub.call("pairing.begin", { channel });
  dialog.showCode({
    invitation: account.invite(code),
    link: account.link(code),
    groupInvitation: account.inviteGroup?.(code) ?? null,
  });
  return hub.call("pairing.wait", { channel, code });
}

/** Telegram's chat ids are written as numbers, those of other services as text. */
function toPlaceValue(place: string): string | number {
  const number = Number(place);
  return Number.isSafeInteger(number) ? number : place;
}
