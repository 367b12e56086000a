/** `channel add`: pairs one more person or place with a channel. */
import { resolvePaths, type Paths } from "../../config/paths.js";
import { withHub } from "../client.js";
import { listTools } from "../setup/asking-tools.js";
import { writeGreeting } from "../setup/greeting.js";
import { pairPerson, type PairedPerson, type PairingDialog } from "./pair-person.js";
import { prepareChannel, type PreparedChannel, type SecretDialog } from "./prepare-channel.js";

export interface PairedChannel extends PairedPerson {
  readonly config: string;
}

/** Null if the person at the terminal said no. Errors: those of `prepareChannel` and `pairPerson`. */
export async function addChannel(
  channel: string,
  dialog: SecretDialog & PairingDialog,
): Promise<PairedChannel | null> {
  const paths = resolvePaths();
  const prepared = await prepareChannel(paths, channel, dialog);
  const paired = await pairWithChannel(paths, prepared, dialog);
  return paired && { ...paired, config: paths.config };
}

/** Null if the person at the terminal said no. Errors: those of `pairPerson`. */
export async function pairWithChannel(
  paths: Paths,
  prepared: PreparedChannel,
  dialog: PairingDialog,
): Promise<PairedPerson | null> {
  const tools = await listTools(paths);
  const greeting = (name: string): string => writeGreeting(name, tools);
  return withHub(paths, async (hub) => {
    const { channel, endpoint } = prepared;
    if (endpoint) await hub.call("channel.trust", { channel, address: endpoint.address });
    await hub.call("hub.reload", {});
    return pairPerson(hub, paths, prepared, { dialog, greeting });
  });
}
