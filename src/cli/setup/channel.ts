import { Option, type Command } from "commander";
import type { ListedChannel } from "../../client/channels/list-channels.js";
import type { TrustResult } from "../../client/channels/trust-channel.js";
import { EXIT } from "../../model/errors.js";
import { makeVisible } from "../../safety/display.js";
import type { Person } from "../../config/schema.js";
import { getOwnName } from "../own-name.js";
import { ROLE_HELP, ROLES } from "./roles.js";
import { printLines, printResult } from "../output.js";

const NAMED = "telegram or slack";

export function registerChannel(program: Command): void {
  const channel = program.command("channel").summary("manage the services that prompts are sent to");
  registerAdd(channel);
  registerList(channel);
  registerTest(channel);
  registerRemove(channel);
  registerTrust(channel);
}

interface AddFlags {
  readonly tokenFile?: readonly string[];
  readonly accept?: string | null;
  readonly role?: Person["role"] | null;
}

function registerAdd(channel: Command): void {
  channel
    .command("add")
    .summary("pair a channel with one more person or group (`setup` does it with a test)")
    .argument("<channel>", NAMED)
    .option("--token-file <file...>", "read the token from this file", [])
    .option("--accept <identity>", "pair only this account, such as telegram:1001, without asking who it was")
    .addOption(new Option("--role <role>", ROLE_HELP).choices(ROLES))
    .action(pairOneMore);
}

/** `channel add`, and `people add` without an account. */
export async function pairOneMore(
  channel: string,
  { tokenFile = [], accept = null, role = null }: AddFlags,
): Promise<void> {
  const { addChannel } = await import("../../client/channels/pair-person.js");
  const { checkAccepted, createPairingDialog } = await import("./pairing-dialog.js");
  const { stopAsking } = await import("./ask.js");
  const { describePaired } = await import("./setup-words.js");
  checkAccepted(channel, accept);
  const dialog = createPairingDialog({ tokenFiles: tokenFile, accept, role, output: process.stdout });
  const paired = await addChannel(channel, dialog).finally(stopAsking);
  const next = `Try it: \`${getOwnName()} channel test ${channel}\``;
  printLines(
    paired ? [...describePaired(paired), `Written to ${paired.config}. ${next}`] : ["Nobody was paired."],
  );
}

function registerList(channel: Command): void {
  channel
    .command("list")
    .summary("list the configured channels, their chats and who may answer there")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      const { listChannels } = await import("../../client/channels/list-channels.js");
      await printResult(json, listChannels, (channels) =>
        channels.length === 0
          ? ["No channel yet: `atlasbridge setup` adds one."]
          : channels.map(formatChannel),
      );
    });
}

function formatChannel({ channel, places, approvers, viewers, state }: ListedChannel): string {
  const facts = [
    channel,
    state === null ? "no hub is running" : state,
    places.length === 0 ? "no chat" : `to ${places.join(", ")}`,
    approvers.length === 0 ? "nobody may answer" : `${approvers.join(", ")} may answer`,
    ...(viewers.length === 0 ? [] : [`${viewers.join(", ")} may look`]),
  ];
  return makeVisible(facts.join(" · "));
}

function registerTest(channel: Command): void {
  channel
    .command("test")
    .summary("post a message in every chat of a channel; exit 1 if one refuses it, or there is none")
    .argument("<channel>", NAMED)
    .option("--json", "print one JSON object", false)
    .action(async (name: string, { json }: { json: boolean }) => {
      const { testChannel } = await import("../../client/channels/test-channel.js");
      await printResult(
        json,
        async () => {
          const result = await testChannel(name);
          const isProved = result.places.length > 0 && result.places.every(({ problem }) => problem === null);
          if (!isProved) process.exitCode = EXIT.error;
          return result;
        },
        ({ account, places }) => [
          makeVisible(`The token is valid: ${account}.`),
          ...(places.length === 0 ? [`✗ ${name} is not paired: nothing was posted`] : []),
          ...places.map(({ place, problem }) =>
            makeVisible(
              problem === null ? `✓ chat ${place}: the message is there` : `✗ chat ${place}: ${problem}`,
            ),
          ),
        ],
      );
    });
}

function registerRemove(channel: Command): void {
  channel
    .command("remove")
    .summary("remove a channel from the configuration, with its people's accounts there")
    .argument("<channel>", NAMED)
    .action(async (name: string) => {
      const { removeChannel } = await import("../../client/channels/remove-channel.js");
      const { people, files, advice } = await removeChannel(name);
      printLines([
        `${name} is removed: no prompt goes there any more.`,
        ...(people.length === 0
          ? []
          : [makeVisible(`Removed with it, without another account: ${people.join(", ")}.`)]),
        ...files.map((file) => `Deleted: ${file}`),
        advice,
      ]);
    });
}

function registerTrust(channel: Command): void {
  channel
    .command("trust")
    .summary("confirm a custom address for a channel's token")
    .argument("<channel>", NAMED)
    .action(async (name: string) => {
      const { trustChannel } = await import("../../client/channels/trust-channel.js");
      const { createPairingDialog } = await import("./pairing-dialog.js");
      printLines([formatTrusted(name, await trustChannel(name, createPairingDialog()))]);
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
