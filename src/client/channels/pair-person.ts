/** Pairs a person or a group with a channel: they send a code, and the person at the terminal confirms the sender. */
import { addPairing, readConfigText } from "../../config/edit.js";
import type { Person } from "../../config/schema.js";
import type { GroupFacts } from "../../sdk/channel.js";
import { applyConfig } from "../apply-config.js";
import { resolvePaths, type Paths } from "../../config/paths.js";
import { requestReload } from "../request-reload.js";
import { withHub } from "../client.js";
import type { HubClient } from "../connect/meet-hub.js";
import { listTools } from "../setup/asking-tools.js";
import { writeGreeting } from "../setup/greeting.js";
import { listPeopleWithRole, readConfig, readPlaces } from "./list-channels.js";
import { prepareChannel, type PreparedChannel, type SecretDialog } from "./prepare-channel.js";

export interface CodeSender {
  readonly displayName: string;
  readonly identity: string;
  readonly place: string;
}

export interface PairingWish extends CodeSender {
  /** The sender's entry in the configuration, which keeps its name and role; or null. */
  readonly listed: Person | null;
  /** Null for a private chat, and where the service does not say. */
  readonly group: GroupFacts | null;
  /** Another chat that the sender alone reads and that gets every prompt, or null. */
  readonly privateChat: string | null;
  /** False if nobody else may answer over this channel. */
  readonly mayOnlyLook: boolean;
}

export interface PairingConsent extends Pick<Person, "name" | "role"> {
  /** Prompts do not go to `privateChat` any more. */
  readonly onlyHere: boolean;
}

export interface PairingDialog {
  showCode(code: ShownCode): void;
  /** Null if somebody else sent the code. */
  confirm(wish: PairingWish): Promise<PairingConsent | null>;
}

export interface ShownCode {
  readonly invitation: string;
  /** A link that sends the code, or null. */
  readonly link: string | null;
  /** How to pair a group instead, or null. */
  readonly groupInvitation: string | null;
}

export interface PairedPerson extends Pick<Person, "name" | "role"> {
  readonly identity: string;
  readonly place: string;
  /** Other chats that this person reads, or may read: cards come there, too. */
  readonly otherChats: readonly string[];
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
    await requestReload(paths, hub);
    if (endpoint) await hub.call("channel.trust", { channel, address: endpoint.address });
    const sender = await awaitCode(hub, prepared, dialog);
    const wish = await collectWish(paths, prepared, sender);
    const consent = await dialog.confirm(wish);
    if (consent === null) return null;
    const { identity, place } = sender;
    const { name, role, onlyHere } = consent;
    // Before the configuration is written, because the chat may refuse messages.
    await prepared.greet(place, writeGreeting(name, role, tools));
    const instead = onlyHere && wish.privateChat !== null ? [wish.privateChat] : [];
    const pairing = { channel, place: toPlaceValue(place), person: { name, identity, role }, instead };
    await applyConfig(paths, addPairing(readConfigText(paths.config), pairing));
    const { people, channels } = readConfig(paths);
    const otherChats = readPlaces(channels[channel]).filter(
      (other) => other !== place && [null, identity].includes(prepared.findReader(other)),
    );
    const entry = people.find(({ identities }) => identities.includes(identity)) ?? consent;
    return { name: entry.name, role: entry.role, identity, place, otherChats };
  });
}

async function collectWish(
  paths: Paths,
  prepared: PreparedChannel,
  sender: CodeSender,
): Promise<PairingWish> {
  const { people, channels } = readConfig(paths);
  const { identity, place } = sender;
  const own = readPlaces(channels[prepared.channel]).find(
    (each) => each !== place && prepared.findReader(each) === identity,
  );
  return {
    ...sender,
    listed: people.find(({ identities }) => identities.includes(identity)) ?? null,
    group: await prepared.describeGroup(place),
    privateChat: own ?? null,
    mayOnlyLook: listPeopleWithRole({ people }, prepared.channel, "approver").length > 0,
  };
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
