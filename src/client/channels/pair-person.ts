/** The second half of a pairing: a person sends a code, somebody at the terminal confirms who it was, and the configuration gets both. */
import { addPairing, readConfigText, writeConfigFile } from "../../config/edit.js";
import type { Paths } from "../../config/paths.js";
import type { HubClient } from "../connect/meet-hub.js";
import type { PreparedChannel } from "./prepare-channel.js";

/** Who sent the code, and where. */
export interface CodeSender {
  readonly displayName: string;
  readonly identity: string;
  readonly place: string;
}

export interface PairingDialog {
  showCode(code: ShownCode): void;
  /** Returns the name for the configuration, or null if the code came from somebody else. */
  confirm(sender: CodeSender): Promise<string | null>;
}

export interface ShownCode {
  readonly invitation: string;
  /** Sends the code when it is opened, or null. */
  readonly link: string | null;
  /** How to pair a group instead, or null. */
  readonly groupInvitation: string | null;
}

export interface PairedPerson {
  readonly name: string;
  readonly identity: string;
  readonly place: string;
}

/**
 * `greeting` is posted before anything is written: a place that refuses messages shows now. Null if the person at the terminal
 * said no. Errors: ATB_PAIRING_FAILED, ATB_CHANNEL_UNREACHABLE, ATB_HUB_*, ATB_CONFIG_*.
 */
export async function pairPerson(
  hub: HubClient,
  paths: Paths,
  prepared: PreparedChannel,
  { dialog, greeting }: { readonly dialog: PairingDialog; readonly greeting: (name: string) => string },
): Promise<PairedPerson | null> {
  const { channel, account } = prepared;
  const { code } = await hub.call("pairing.begin", { channel });
  dialog.showCode({
    invitation: account.invite(code),
    link: account.link(code),
    groupInvitation: account.inviteGroup?.(code) ?? null,
  });
  const sender = await hub.call("pairing.wait", { channel, code });
  const name = await dialog.confirm(sender);
  if (name === null) return null;
  const { identity, place } = sender;
  await prepared.greet(place, greeting(name));
  const person = { name, identity };
  const text = addPairing(readConfigText(paths.config), { channel, place: toPlaceValue(place), person });
  writeConfigFile(paths.config, text);
  await hub.call("hub.reload", {});
  return { ...person, place };
}

/** Telegram's chat ids are numbers in the file, as people see them there; other services use text. */
function toPlaceValue(place: string): string | number {
  const number = Number(place);
  return Number.isSafeInteger(number) ? number : place;
}
