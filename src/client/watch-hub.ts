/** The open prompts for `watch`, kept correct across hub restarts. */
import { setTimeout as pause } from "node:timers/promises";
import { resolvePaths } from "../config/paths.js";
import { mapStrings } from "../model/data/map-strings.js";
import { AtlasBridgeError } from "../model/errors.js";
import type { UnansweredPrompt } from "../model/no-open-prompts.js";
import { makeVisible } from "../safety/display.js";
import type { ListedPrompt } from "../wire/listings.js";
import type { PromptDetails } from "../wire/messages.js";
import { fetchPrompts, ignoreUnprovedHub } from "./client.js";
import { findHub, type HubClient } from "./connect/meet-hub.js";
import { inspectSessions, type InspectedSession } from "./seen-sessions.js";
import { fetchShownNumbers } from "./shown-numbers.js";

export interface WatchedPrompt extends ListedPrompt {
  readonly details: PromptDetails;
  /** The number that a yes from a chat needs, if this terminal may show it. */
  readonly number?: number;
}

export interface WatchedHub {
  readonly sessions: readonly InspectedSession[];
  readonly prompts: readonly WatchedPrompt[];
  readonly unanswered: readonly UnansweredPrompt[];
  readonly paused: boolean;
}

export interface PromptEnd {
  readonly text: string;
  /** It may still be open at the terminal and can be asked again. */
  readonly again: boolean;
}

export interface WatchListener {
  /** No hub responds: the open prompts are unknown until the next refresh. */
  lost(why: string): void;
  refreshed(hub: WatchedHub): void;
  raised(prompt: WatchedPrompt): void;
  settled(prompt: WatchedPrompt, end: PromptEnd): void;
}

const RECONNECT_EVERY_MS = 500;
/** A hub that hangs sends no event, nor does a stopped session, so the view is also refreshed regularly. */
const REFRESH_EVERY_MS = 2_000;
const PING_LIMIT_MS = 3_000;

/** Watches until `signal` aborts. Starts no hub. */
export async function watchPrompts(listener: WatchListener, signal: AbortSignal): Promise<void> {
  const shown = new Map<string, WatchedPrompt>();
  let leave = (): void => undefined;
  let wake = (): void => undefined;
  signal.addEventListener("abort", () => leave());
  for (const hasLeft = (): boolean => signal.aborted; !hasLeft();) {
    let why = "no hub is running";
    const listeners = { "watch.event": () => wake() };
    const hub = await findHub({ paths: resolvePaths(), listeners }).catch((error: unknown) => {
      why = error instanceof AtlasBridgeError ? error.message : why;
      return ignoreUnprovedHub(error);
    });
    if (hub) {
      why = "the hub stopped responding";
      leave = () => hub.close();
      if (hasLeft()) leave();
      await hub.call("watch.subscribe", {}).catch(leave);
    }
    while (hub?.isOpen) {
      // Set first, so that an event during the refresh causes another one.
      const woken = new Promise<void>((resolve) => (wake = resolve));
      await refresh(hub, listener, shown).catch(leave);
      await Promise.race([woken, hub.closed, pause(REFRESH_EVERY_MS, undefined, { ref: false })]);
    }
    if (!hasLeft()) listener.lost(why);
    await pause(RECONNECT_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function refresh(
  hub: HubClient,
  listener: WatchListener,
  shown: Map<string, WatchedPrompt>,
): Promise<void> {
  await hub.call("hub.status", {}, { timeoutMs: PING_LIMIT_MS });
  const open = await fetchPrompts(hub, false);
  const numbers = await fetchShownNumbers(hub, open);
  const prompts: WatchedPrompt[] = [];
  for (const prompt of open) {
    const { promptId } = prompt;
    // Details of an open prompt never change.
    const details = shown.get(promptId)?.details ?? (await hub.call("prompt.details", { promptId }));
    const number = numbers.get(promptId);
    if (details) prompts.push(sanitizeAll({ ...prompt, details, ...(number !== undefined && { number }) }));
  }
  // Read after the prompts: one that ends meanwhile is in both lists, never in none.
  const sessions = sanitizeAll(await inspectSessions(hub, false));
  const { paused, unanswered } = sanitizeAll(await hub.call("hub.status", {}));
  listener.refreshed({ sessions, prompts, unanswered, paused });
  for (const prompt of prompts) {
    if (!shown.has(prompt.promptId)) listener.raised(prompt);
    shown.set(prompt.promptId, prompt);
  }
  const isOpen = new Set(open.map(({ promptId }) => promptId));
  for (const prompt of [...shown.values()].filter(({ promptId }) => !isOpen.has(promptId))) {
    const { text, again } = await hub.call("prompt.wait", { promptId: prompt.promptId });
    shown.delete(prompt.promptId);
    listener.settled(prompt, { text: makeVisible(text), again });
  }
}

/** The hub sanitizes texts too, but it may be older than this program. */
function sanitizeAll<T>(fromHub: T): T {
  return mapStrings(fromHub, makeVisible) as T;
}
