/** Describes what a reload changed about the channels. Pure. */
import type { Channel } from "../../sdk/channel.js";
import type { ChannelChange } from "../../wire/messages.js";
import { describeHowToConfirm, describeUnconfirmed } from "../../plugins/channels/endpoints.js";

export interface UsedChannel {
  readonly id: string;
  readonly channel: Channel;
  /** The unconfirmed address; null if the channel is open. */
  readonly closedTo: string | null;
}

/** In the order of the configuration, then the removed ones. A channel that stays closed is listed too, because nothing arrives there. */
export function listChannelChanges(
  before: readonly UsedChannel[],
  now: readonly UsedChannel[],
): readonly ChannelChange[] {
  const gone = before.filter(({ id }) => !now.some((used) => used.id === id));
  return [
    ...now.flatMap((used) => findChange(before, used)),
    ...gone.map(({ id }): ChannelChange => ({ id, change: "stopped", reason: NOT_CONFIGURED })),
  ];
}

const NOT_CONFIGURED = "it is no longer in the configuration.";

function findChange(before: readonly UsedChannel[], { id, channel, closedTo }: UsedChannel): ChannelChange[] {
  const known = before.find((used) => used.id === id);
  if (closedTo !== null) {
    const reason = `${describeUnconfirmed(closedTo)}. ${describeHowToConfirm(id)}`;
    return [{ id, change: "closed", reason }];
  }
  if (known?.channel === channel) return [];
  const wasOpen = known?.closedTo === null;
  return [{ id, change: wasOpen ? "restarted" : "started", reason: null }];
}
