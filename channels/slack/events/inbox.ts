/** Receives envelopes: each is stored before it is acknowledged. */
import { StoreFailed } from "../../../src/sdk/store-failed.js";
import type { ChannelHost, Inbox } from "../../../src/sdk/channel.js";
import { wait } from "../../../src/sdk/waiting.js";
import type { SlackTiming } from "../limits.js";
import { parseStored, removePreviousWords, type StoredEnvelope } from "./payloads.js";

/** One envelope as the service sent it. */
export interface SlackEnvelope {
  readonly id: string;
  readonly type: string;
  readonly payload: unknown;
}

export interface InboxParts {
  readonly host: ChannelHost;
  readonly timing: SlackTiming;
  readonly inbox: Inbox;
  readonly stop: AbortSignal;
  /** Called on every change of whether storing works. */
  readonly onStoring: (works: boolean) => void;
}

export class SlackInbox {
  readonly #parts: InboxParts;
  #works = true;

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /**
   * Resolves with the row once the envelope is stored, or null if it already was, or is an event that we ignore: such an event may
   * repeat what somebody wrote, for example in a message that they deleted. Retries as long as an acknowledgement is
   * possible: afterwards the service has reported a failure to the person, or sends the event again. Errors: StoreFailed.
   */
  async store(envelope: SlackEnvelope, team: string): Promise<StoredEnvelope | null> {
    const { host, timing, stop } = this.#parts;
    const payload = removeToken(envelope.payload);
    const received: StoredEnvelope = { receivedAt: host.clock.now(), team, type: envelope.type, payload };
    if (received.type === "events_api" && parseStored(received) === null) return null;
    const row = removePreviousWords(received);
    const deadline = host.clock.monotonic() + timing.storeMs;
    for (;;) {
      const fresh = await this.#tryStore(buildKey(envelope, team), row);
      if (fresh !== null) return fresh ? row : null;
      if (stop.aborted || host.clock.monotonic() >= deadline)
        throw new StoreFailed("an envelope was not stored");
      await wait(host.clock, timing.storeRetryMs, stop);
    }
  }

  /** Whether it was new, or null if it could not be stored. */
  async #tryStore(key: string, row: StoredEnvelope): Promise<boolean | null> {
    try {
      const fresh = await this.#parts.inbox.store(key, row);
      this.#report(true);
      return fresh;
    } catch {
      this.#report(false);
      return null;
    }
  }

  #report(works: boolean): void {
    if (this.#works === works) return;
    this.#works = works;
    this.#parts.onStoring(works);
  }
}

/** A repeated event has a new envelope but its own event id; an interaction has none. Ids of different workspaces are independent. */
function buildKey({ id, payload }: SlackEnvelope, team: string): string {
  const eventId = getMember(payload, "event_id");
  return `${team}:${typeof eventId === "string" && eventId !== "" ? eventId : id}`;
}

/** Slack's old verification token proves nothing here and should not be stored. */
function removeToken(payload: unknown): unknown {
  if (payload === null || typeof payload !== "object" || Array.isArray(payload)) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([key]) => key !== "token"));
}

function getMember(value: unknown, name: string): unknown {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined;
}
