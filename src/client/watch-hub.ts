/** A view of the open prompts that stays correct across hub restarts, for `watch`. */
import { setTimeout as pause } from "node:timers/promises";
import { resolvePaths } from "../config/paths.js";
import { mapStrings } from "../model/data/map-strings.js";
import { makeVisible } from "../safety/display.js";
import type { UnansweredPrompt } from "../model/no-open-prompts.js";
import type { ListedPrompt } from "../wire/listings.js";
import type { PromptDetails } from "../wire/messages.js";
import { AtlasBridgeError } from "../model/errors.js";
import { fetchPrompts, noHubIfUnproved } from "./client.js";
import { findHub, type HubClient } from "./connect/meet-hub.js";
import { seeSessions, type SeenSession } from "./seen-sessions.js";

/** A prompt with everything needed to compose a legal answer. */
export interface WatchedPrompt extends ListedPrompt {
  readonly details: PromptDetails;
}

/** Everything a person sees of a hub, at one instant. */
export interface WatchedHub {
  readonly sessions: readonly SeenSession[];
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
  missing(why: string): void;
  raised(prompt: ListedPrompt): void;
  /** A shown prompt was settled. */
  settled(prompt: ListedPrompt, end: PromptEnd): void;
  /**
   * After each refresh: ended prompts that may still wait at their terminals, and the sessions, some of which may have prompts
   * nobody sees.
   */
  unanswered?(ended: readonly UnansweredPrompt[], sessions: readonly SeenSession[]): void;
  /** After each refresh, for listeners that show everything. */
  looked?(hub: WatchedHub): void;
}

const RECONNECT_EVERY_MS = 500;
/** A hung hub is noticed after this interval plus the response limit, because a hub sends nothing while nothing happens. */
const BEAT_EVERY_MS = 2_000;
const BEAT_ANSWER_MS = 3_000;

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
    return noHubIfUnproved(error);
  });
  if (!hub) {
    listener.missing(why);
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
  void keepAsking(hub, view);
  await hub.closed;
  signal.removeEventListener("abort", leave);
  if (!isLeaving()) listener.connected(false);
}

/** Sends regular pings: an outdated list must not pass for the truth while the hub is stopped or stuck. */
async function keepAsking(hub: HubClient, view: PromptView): Promise<void> {
  while (hub.isOpen) {
    await pause(BEAT_EVERY_MS, undefined, { ref: false });
    await hub.call("hub.status", {}, { timeoutMs: BEAT_ANSWER_MS }).catch(() => hub.close());
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
  #looking = false;
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
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#again) {
        this.#again = false;
        await this.#look();
      }
    } catch {
      this.#hub?.close(); // The next connection looks again.
    } finally {
      this.#looking = false;
    }
  }

  async #look(): Promise<void> {
    if (!this.#hub) return;
    const open = shownSafely(await fetchPrompts(this.#hub, false));
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
      this.#listener.settled(prompt, { text: shownSafely(text), again });
    }
  }

  async #showEnded(hub: HubClient): Promise<void> {
    if (!this.#listener.unanswered) return;
    const sessions = shownSafely(await seeSessions(hub, false));
    this.#listener.unanswered(shownSafely(await hub.call("hub.status", {})).unanswered, sessions);
  }

  async #showAll(hub: HubClient, open: readonly ListedPrompt[]): Promise<void> {
    if (!this.#listener.looked) return;
    const sessions = shownSafely(await seeSessions(hub, false));
    const { paused, unanswered } = shownSafely(await hub.call("hub.status", {}));
    const prompts: WatchedPrompt[] = [];
    for (const prompt of open) {
      const details = await this.#detailsOf(hub, prompt.promptId);
      if (details) prompts.push({ ...prompt, details });
    }
    this.#listener.looked({ sessions, prompts, unanswered, paused });
  }

  /** A prompt's details never change while it is open. */
  async #detailsOf(hub: HubClient, promptId: string): Promise<PromptDetails | null> {
    const known = this.#details.get(promptId);
    if (known) return known;
    const details = shownSafely(await hub.call("prompt.details", { promptId }));
    if (details) this.#details.set(promptId, details);
    return details;
  }
}

/** The hub sanitizes its texts too, but this output goes to a terminal, and the hub may be older than this program. */
function shownSafely<T>(fromHub: T): T {
  return mapStrings(fromHub, makeVisible) as T;
}
