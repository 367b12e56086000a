/** `atlasbridge channel`: pairs channels. */
import type { Command } from "commander";
import type { TrustResult } from "../../client/channels/trust-channel.js";
import { printLines } from "../output.js";

export function registerChannel(program: Command): void {
  const channel = program.command("channel").summary("manage the services that prompts are sent to");
  channel
    .command("add")
    .summary("pair a channel with a person: telegram, slack")
    .argument("<channel>", "telegram or slack")
    .action(async (name: string) => {
      const { addChannel } = await import("../../client/channels/add-channel.js");
      const { terminalDialog } = await import("../pairing-dialog.js");
      const paired = await addChannel(name, terminalDialog);
      printLines(
        paired === null
          ? ["Nobody was paired."]
          : [`${paired.name} (${paired.identity}) may now answer. Written to ${paired.config}.`],
      );
    });
  channel
    .command("trust")
    .summary("confirm a custom address for a channel's token")
    .argument("<channel>", "telegram or slack")
    .action(async (name: string) => {
      const { trustChannel } = await import("../../client/channels/trust-channel.js");
      const { terminalDialog } = await import("../pairing-dialog.js");
      printLines([formatTrusted(name, await trustChannel(name, terminalDialog))]);
    });
}

function formatTrusted(channel: string, trusted: TrustResult): string {
  switch (trusted.kind) {
    case "built_in":
      return `${channel} uses the service's own address; nothing to confirm.`;
    case "confirmed":
      return `The token of ${channel} may go to ${trusted.address}. A changed address or token must be confirmed again.`;
    case "refused":
      return `Not confirmed: ${channel} stays closed.`;
  }
}
