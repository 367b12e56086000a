/** A view of the open prompts that stays correct across hub restarts, for `watch`. */
import { setTimeout as pause } from "node:timers/promises";
import { resolvePaths } from "../config/paths.js";
import { mapStrings } from "../model/data/map-strings.js";
import { makeVisible } from "../safety/display.js";
import type { UnansweredPrompt } from "../model/no-open-prompts.js";
import type { ListedPrompt } from "../wire/listings.js";
import type { PromptDetails } from "../wire/messages.js";
import { AtlasBridgeError } from "../model/errors.js";
import { fetchPrompts, ignoreUnprovedHub } from "./client.js";
import { fetchShownNumbers } from "./shown-numbers.js";
import { findHub, type HubClient } from "./connect/meet-hub.js";
import { inspectSessions, type InspectedSession } from "./seen-sessions.js";

/** A prompt with everything needed to compose a legal answer. */
export interface WatchedPrompt extends ListedPrompt {
  readonly details: PromptDetails;
  /** What a yes from a chat needs, if its terminal shows that. */
  readonly number?: number;
}

/** Everything a person sees of a hub, at one instant. */
export interface WatchedHub {
  readonly sessions: readonly InspectedSession[];
  readonly prompts: readonly WatchedPrompt[];
  /** Ended prompts that may still wait at their terminals. */
  readonly unanswered: readonly UnansweredPrompt[];
  readonly paused: boolean;
}

/** How a prompt ended. */
export interface PromptEnd {
  /** One line for people. */
  readonly text: string;
  /** It may still be open at the terminal, and can be asked again. */
  readonly again: boolean;
}

export interface WatchListener {
  /** Whether a hub is connected. */
  connected(isConnected: boolean): void;
  /** There is no hub, and why: the open prompts are unknown. */
  hubMissing(why: string): void;
  raised(prompt: ListedPrompt): void;
  /** A shown prompt was settled. */
  settled(prompt: ListedPrompt, end: PromptEnd): void;
  /**
   * After each refresh: ended prompts that may still wait at their terminals, and the sessions, some of which may have prompts
   * nobody sees.
   */
  unanswered?(ended: readonly UnansweredPrompt[], sessions: readonly InspectedSession[]): void;
  /** After each refresh, for listeners that show everything. */
  refreshed?(hub: WatchedHub): void;
}

const RECONNECT_EVERY_MS = 500;
/** A hung hub is noticed after this interval plus the response limit, because a hub sends nothing while nothing happens. */
const PING_EVERY_MS = 2_000;
const PING_LIMIT_MS = 3_000;

/** Watches until `signal` aborts. It starts no hub; the next session does. */
export async function watchPrompts(listener: WatchListener, signal: AbortSignal): Promise<void> {
  const shown = new Map<string, ListedPrompt>();
  while (!signal.aborted) {
    await watchOneHub(listener, shown, signal);
    await pause(RECONNECT_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function watchOneHub(
  listener: WatchListener,
  shown: Map<string, ListedPrompt>,
  signal: AbortSignal,
): Promise<void> {
  const view = new PromptView(listener, shown);
  let why = "no hub is running";
  const hub = await findHub({
    paths: resolvePaths(),
    listeners: { "watch.event": () => void view.refresh() },
  }).catch((error: unknown) => {
    why = error instanceof AtlasBridgeError ? error.message : why;
    return ignoreUnprovedHub(error);
  });
  if (!hub) {
    listener.hubMissing(why);
    return;
  }
  // Whoever left while the hub was being found is heard by no listener that is added now.
  const isLeaving = (): boolean => signal.aborted;
  if (isLeaving()) {
    hub.close();
    return;
  }
  const leave = (): void => hub.close();
  signal.addEventListener("abort", leave, { once: true });
  view.use(hub);
  listener.connected(true);
  // Subscribed before the first refresh, so that no event in between is missed.
  await hub
    .call("watch.subscribe", {})
    .then(() => view.refresh())
    .catch(leave);
  void keepPinging(hub, view);
  await hub.closed;
  signal.removeEventListener("abort", leave);
  if (!isLeaving()) listener.connected(false);
}

/** Sends regular pings: an outdated list must not pass for the truth while the hub is stopped or stuck. */
async function keepPinging(hub: HubClient, view: PromptView): Promise<void> {
  while (hub.isOpen) {
    await pause(PING_EVERY_MS, undefined, { ref: false });
    await hub.call("hub.status", {}, { timeoutMs: PING_LIMIT_MS }).catch(() => hub.close());
    // The hub sends no event when a process is stopped, so this polls. Not awaited: a hub that hangs here is noticed by the
    // next ping.
    void view.refresh();
  }
}

/** Compares the hub's list with what was shown, one refresh at a time; events during a refresh cause one more. */
class PromptView {
  readonly #listener: WatchListener;
  readonly #shown: Map<string, ListedPrompt>;
  readonly #details = new Map<string, PromptDetails>();
  #hub: HubClient | null = null;
  #refreshing = false;
  #again = false;

  constructor(listener: WatchListener, shown: Map<string, ListedPrompt>) {
    this.#listener = listener;
    this.#shown = shown;
  }

  use(hub: HubClient): void {
    this.#hub = hub;
  }

  async refresh(): Promise<void> {
    this.#again = true;
    if (this.#refreshing) return;
    this.#refreshing = true;
    try {
      while (this.#again) {
        this.#again = false;
        await this.#refreshOnce();
      }
    } catch {
      this.#hub?.close(); // The next connection looks again.
    } finally {
      this.#refreshing = false;
    }
  }

  async #refreshOnce(): Promise<void> {
    if (!this.#hub) return;
    const open = sanitizeAll(await fetchPrompts(this.#hub, false));
    await this.#showEnded(this.#hub);
    await this.#showAll(this.#hub, open);
    for (const prompt of open) {
      if (!this.#shown.has(prompt.promptId)) this.#listener.raised(prompt);
      this.#shown.set(prompt.promptId, prompt);
    }
    const isOpen = new Set(open.map(({ promptId }) => promptId));
    for (const prompt of [...this.#shown.values()].filter(({ promptId }) => !isOpen.has(promptId))) {
      const { text, again } = await this.#hub.call("prompt.wait", { promptId: prompt.promptId });
      this.#shown.delete(prompt.promptId);
      this.#details.delete(prompt.promptId);
      this.#listener.settled(prompt, { text: sanitizeAll(text), again });
    }
  }

  async #showEnded(hub: HubClient): Promise<void> {
    if (!this.#listener.unanswered) return;
    const sessions = sanitizeAll(await inspectSessions(hub, false));
    this.#listener.unanswered(sanitizeAll(await hub.call("hub.status", {})).unanswered, sessions);
  }

  async #showAll(hub: HubClient, open: readonly ListedPrompt[]): Promise<void> {
    if (!this.#listener.refreshed) return;
    const sessions = sanitizeAll(await inspectSessions(hub, false));
    const { paused, unanswered } = sanitizeAll(await hub.call("hub.status", {}));
    const numbers = await fetchShownNumbers(hub, open);
    const prompts: WatchedPrompt[] = [];
    for (const prompt of open) {
      const details = await this.#fetchDetails(hub, prompt.promptId);
      const number = numbers.get(prompt.promptId);
      if (details) prompts.push({ ...prompt, details, ...(number !== undefined && { number }) });
    }
    this.#listener.refreshed({ sessions, prompts, unanswered, paused });
  }

  /** A prompt's details never change while it is open. */
  async #fetchDetails(hub: HubClient, promptId: string): Promise<PromptDetails | null> {
    const known = this.#details.get(promptId);
    if (known) return known;
    const details = sanitizeAll(await hub.call("prompt.details", { promptId }));
    if (details) this.#details.set(promptId, details);
    return details;
  }
}

/** The hub sanitizes its texts too, but this output goes to a terminal, and the hub may be older than this program. */
function sanitizeAll<T>(fromHub: T): T {
  return mapStrings(fromHub, makeVisible) as T;
}
