/** Listens on the reply topic and never gives up: each message is stored before the place to go on from moves past it. */
import { createHash } from "node:crypto";
import type { ChannelHealth, ChannelHost, Inbox } from "../../../../src/sdk/channel.js";
import { StoreFailed } from "../../../../src/sdk/store-failed.js";
import { doubleDelay, wait } from "../../../../src/sdk/waiting.js";
import { RefusedStatus, reasonOf, type NtfyApi } from "./api.js";
import type { NtfySettings } from "./config.js";

export interface NtfyTiming {
  /** First wait after a failure; doubles. */
  readonly retryMs: number;
  readonly retryMaxMs: number;
  /** A refused token rarely comes back to life; ask seldom, but ask. */
  readonly refusedMs: number;
  /** The service says that it is there every 45 s. */
  readonly silenceMs: number;
}

export const TIMING: NtfyTiming = {
  retryMs: 1_000,
  retryMaxMs: 30_000,
  refusedMs: 300_000,
  silenceMs: 100_000,
};

/** A message has 4096 bytes; escaped and with all that may stand beside it far less than this. */
const LINE_MAX = 256 * 1024;

export interface ListenerParts {
  readonly api: NtfyApi;
  readonly settings: NtfySettings;
  readonly host: ChannelHost;
  readonly inbox: Inbox;
  readonly timing: NtfyTiming;
  readonly stop: AbortSignal;
}

/** Resolves when `stop` fires. */
export async function listen(parts: ListenerParts): Promise<void> {
  const { host, timing, stop } = parts;
  const tell = reportChanges(host);
  const isOver = (): boolean => stop.aborted;
  tell({ state: "starting" });
  for (let attempt = 1; !isOver(); attempt += 1) {
    const failure = await listenOnce(parts, () => {
      attempt = 1;
      tell({ state: "connected" });
    }).catch((error: unknown) => error);
    if (isOver()) return;
    const isRefused = failure instanceof RefusedStatus && [401, 403, 404].includes(failure.status);
    const waitMs = isRefused
      ? timing.refusedMs
      : doubleDelay(timing.retryMs, timing.retryMaxMs, attempt, host.random());
    tell(healthOf(failure, isRefused));
    host.log("warn", "ntfy listening waits", { reason: reasonOf(failure), waitMs, attempt });
    await wait(host.clock, waitMs, stop);
  }
}

/** Never resolves: a connection that ends is a failure, too. Errors: RefusedStatus, StoreFailed, those of the network. */
async function listenOnce(
  { api, settings, host, inbox, timing, stop }: ListenerParts,
  onOpen: () => void,
): Promise<never> {
  const key = settingOf(settings);
  // An id that the service has forgotten stands for all that it has; so does none. The store knows what it had already.
  const since = host.getSetting(key) ?? "all";
  const silence = new AbortController();
  const endSilent = (): (() => void) => host.clock.after(timing.silenceMs, () => silence.abort());
  let cancel = endSilent();
  try {
    const { body } = await api.get(
      `${settings.reply_topic}/json?since=${encodeURIComponent(since)}`,
      AbortSignal.any([stop, silence.signal]),
    );
    for await (const line of linesOf(body ?? [])) {
      cancel();
      cancel = endSilent();
      const update = parse(line);
      if (update?.event === "open") onOpen();
      if (update?.event !== "message" || typeof update.id !== "string") continue;
      const { id } = update;
      await inbox.store(id, { receivedAt: host.clock.now(), update }).catch((cause: unknown) => {
        throw new StoreFailed("an update could not be stored", { cause });
      });
      host.setSetting(key, id);
    }
  } finally {
    cancel();
  }
  throw new Error("the service ended the connection");
}

async function* linesOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of body) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_MAX) throw new Error("a line is too long");
    yield* lines;
  }
}

function parse(line: string): { readonly event?: unknown; readonly id?: unknown } | null {
  try {
    return JSON.parse(line) as { event?: unknown; id?: unknown } | null;
  } catch {
    return null;
  }
}

/** Of this server and topic only; the topic's name is a secret, and settings are not. */
function settingOf({ server, reply_topic }: NtfySettings): string {
  return `since:${createHash("sha256").update(`${server}/${reply_topic}`).digest("hex").slice(0, 16)}`;
}

function healthOf(failure: unknown, isRefused: boolean): ChannelHealth {
  if (failure instanceof StoreFailed)
    return {
      state: "degraded",
      reason: failure.message,
      action: "Check the disk and the hub's log; ntfy keeps the update for hours.",
    };
  const reason = `ntfy cannot be listened to: ${reasonOf(failure)}`;
  return isRefused
    ? { state: "failed", reason, action: "Check `token` and whether it may read `reply_topic`." }
    : { state: "degraded", reason, action: "Check the network; it is tried again by itself." };
}

function reportChanges(host: ChannelHost): (health: ChannelHealth) => void {
  let told = "";
  return (health) => {
    if (told === JSON.stringify(health)) return;
    told = JSON.stringify(health);
    host.report(health);
  };
}
