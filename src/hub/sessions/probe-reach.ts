/** Probes the channels before a tool is started, because a service that worked a minute ago may be down now. */
import type { Clock } from "../../model/clock.js";
import { withTimeLimit } from "../../observe/within.js";
import type { ChannelHealth } from "../../sdk/channel.js";
import { makePrintable } from "../../sdk/text.js";
import type { ConfiguredChannel } from "../people/routing.js";

/** A service responds within a second; callers wait ten seconds for the whole probe. */
const PROBE_LIMIT_MS = 4_000;
/** Longest stored reason, which is the service's text. */
const REASON_MAX = 200;

/** The states of the channels that do not respond, by id. */
export async function probeChannels(
  configuredChannels: readonly ConfiguredChannel[],
  ids: readonly string[],
  clock: Clock,
): Promise<ReadonlyMap<string, ChannelHealth>> {
  const probed = configuredChannels.filter(({ id }) => ids.includes(id));
  const found = await Promise.all(
    probed.map(
      async (configuredChannel) =>
        [configuredChannel.id, await probeChannel(configuredChannel, clock)] as const,
    ),
  );
  return new Map(
    found.flatMap(([id, reason]) =>
      reason === null ? [] : [[id, { state: "degraded", reason, action: "" }] as const],
    ),
  );
}

async function probeChannel({ channel }: ConfiguredChannel, clock: Clock): Promise<string | null> {
  try {
    const limit = `the service did not answer within ${PROBE_LIMIT_MS / 1000} s`;
    const probe = channel.probe?.(PROBE_LIMIT_MS) ?? Promise.resolve();
    await withTimeLimit(probe, PROBE_LIMIT_MS, clock, limit);
    return null;
  } catch (error) {
    return makePrintable(error instanceof Error ? error.message : String(error), REASON_MAX);
  }
}
