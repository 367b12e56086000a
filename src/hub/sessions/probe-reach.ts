/** What a channel proved a minute ago may be over: its services are asked anew before a tool is started on their word. */
import type { Clock } from "../../model/clock.js";
import { within } from "../../observe/within.js";
import type { ChannelHealth } from "../../sdk/channel.js";
import { printable } from "../../sdk/text.js";
import type { ConfiguredChannel } from "../people/routing.js";

/** A service answers within a second; a caller waits ten for all of it. */
const PROBE_LIMIT_MS = 4_000;
/** A sentence of the service's. */
const REASON_MAX = 200;

/** The states of those that do not answer, by the ids of their channels. */
export async function probeChannels(
  configuredChannels: readonly ConfiguredChannel[],
  ids: readonly string[],
  clock: Clock,
): Promise<ReadonlyMap<string, ChannelHealth>> {
  const asked = configuredChannels.filter(({ id }) => ids.includes(id));
  const found = await Promise.all(
    asked.map(
      async (configuredChannel) => [configuredChannel.id, await problemOf(configuredChannel, clock)] as const,
    ),
  );
  return new Map(
    found.flatMap(([id, reason]) =>
      reason === null ? [] : [[id, { state: "degraded", reason, action: "" }] as const],
    ),
  );
}

async function problemOf({ channel }: ConfiguredChannel, clock: Clock): Promise<string | null> {
  try {
    const limit = `the service did not answer within ${PROBE_LIMIT_MS / 1000} s`;
    const probe = channel.probe?.(PROBE_LIMIT_MS) ?? Promise.resolve();
    await within(probe, PROBE_LIMIT_MS, clock, limit);
    return null;
  } catch (error) {
    return printable(error instanceof Error ? error.message : String(error), REASON_MAX);
  }
}
