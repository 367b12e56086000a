/** A view of the open questions that stays right across any number of hubs: for `watch`. */
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

/** A question with all that is needed to put a legal answer together. */
export interface WatchedPrompt extends ListedPrompt {
  readonly details: PromptDetails;
}

/** Everything that a person sees of a hub, at one instant. */
export interface WatchedHub {
  readonly sessions: readonly SeenSession[];
  readonly prompts: readonly WatchedPrompt[];
  /** Not open, and they may still wait at their terminals. */
  readonly unanswered: readonly UnansweredPrompt[];
  readonly paused: boolean;
}

/** What became of a question. */
export interface PromptEnd {
  /** In one line for people. */
  readonly text: string;
  /** It may still stand, and can be asked again. */
  readonly again: boolean;
}

export interface WatchListener {
  /** Connected to a hub, or not (any more). */
  connected(isConnected: boolean): void;
  /** There is no hub to be heard, and why: nothing is known of what is asked. */
  missing(why: string): void;
  raised(prompt: ListedPrompt): void;
  /** A shown question is settled. */
  settled(prompt: ListedPrompt, end: PromptEnd): void;
  /** After each look: what is not open, and may still wait at its terminal; and the sessions, for some may ask unseen. */
  unanswered?(ended: readonly UnansweredPrompt[], sessions: readonly SeenSession[]): void;
  /** After each look, for those who show all of it. */
  looked?(hub: WatchedHub): void;
}

const RECONNECT_EVERY_MS = 500;
/** A hub that stops answering is found out after so long and the answer's limit; it says nothing of itself while nothing happens. */
const BEAT_EVERY_MS = 2_000;
const BEAT_ANSWER_MS = 3_000;

/** Watches until `signal` aborts. Starts no hub: the next session does. */
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
  let why = "no hub runs";
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
  // Subscribed before the first look: what happens between the two is not missed.
  await hub
    .call("watch.subscribe", {})
    .then(() => view.refresh())
    .catch(leave);
  void keepAsking(hub, view);
  await hub.closed;
  signal.removeEventListener("abort", leave);
  if (!isLeaving()) listener.connected(false);
}

/** What is shown must not pass for what is true while the hub is stopped or stuck. */
async function keepAsking(hub: HubClient, view: PromptView): Promise<void> {
  while (hub.isOpen) {
    await pause(BEAT_EVERY_MS, undefined, { ref: false });
    await hub.call("hub.status", {}, { timeoutMs: BEAT_ANSWER_MS }).catch(() => hub.close());
    // That a process was stopped is no news of the hub. Not awaited: a hub that hangs in this look is found by the next beat.
    void view.refresh();
  }
}

/** Compares what the hub lists with what was shown. One look at a time; news during a look cause one more. */
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

  /** They never change while a question is open. */
  async #detailsOf(hub: HubClient, promptId: string): Promise<PromptDetails | null> {
    const known = this.#details.get(promptId);
    if (known) return known;
    const details = shownSafely(await hub.call("prompt.details", { promptId }));
    if (details) this.#details.set(promptId, details);
    return details;
  }
}

/** The hub has done so; but this goes to a terminal, which does what it reads, and a hub may be older than this program. */
function shownSafely<T>(fromHub: T): T {
  return mapStrings(fromHub, makeVisible) as T;
}
