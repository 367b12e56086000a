/** Questions and sessions for tests of what `watch` shows. */
import type { WatchedHub, WatchedPrompt } from "../../../../src/client/watch-hub.js";
import { press, type ListExtent, type KeyStep } from "../../../../src/cli/watch/keys.js";
import {
  INITIAL_STATE,
  openPage,
  withConnection,
  withHub,
  type WatchState,
} from "../../../../src/cli/watch/state.js";
import type { InspectedSession } from "../../../../src/client/seen-sessions.js";

export const NOW = Date.parse("2026-01-01T00:01:00.000Z");

export function watchedSession(over: Partial<InspectedSession> = {}): InspectedSession {
  return {
    sessionId: "s1",
    tool: "claude",
    label: "api",
    cwd: "/home/ara/api",
    pid: 42,
    state: "waiting",
    said: null,
    connected: true,
    openPrompts: 1,
    inside: null,
    startedAt: "2026-01-01T00:00:00.000Z",
    endedAt: null,
    stopped: false,
    ...over,
  };
}

/** `choices` are given as `details.choices`. */
export function watchedPrompt(over: Partial<WatchedPrompt> = {}): WatchedPrompt {
  const details = over.details ?? {
    constraints: {},
    choices: [
      { label: "Yes", intent: "allow_once" as const },
      { label: "Yes, always", intent: "allow_always" as const },
      { label: "No", intent: "reject_once" as const, takesText: "optional" as const },
    ],
  };
  return {
    shortId: "k7",
    promptId: "p1",
    sessionId: "s1",
    tool: "claude",
    type: "multiple_choice",
    safetyClass: "permission",
    confidence: "high",
    excerpt: "Run it?",
    content: { text: "npm test", cut: null, hidden: null },
    choices: details.choices.map(({ label, intent }, at) => ({ index: at + 1, label, intent })),
    defaultChoice: 1,
    state: "pending",
    createdAt: "2026-01-01T00:00:00.000Z",
    expiresAt: "2026-01-01T00:30:00.000Z",
    ...over,
    details,
  };
}

export function hubWith(prompts: readonly WatchedPrompt[], over: Partial<WatchedHub> = {}): WatchedHub {
  return { prompts, sessions: [watchedSession()], unanswered: [], paused: false, ...over };
}

export function stateWith(...prompts: WatchedPrompt[]): WatchState {
  return withHub(withConnection(INITIAL_STATE, true), hubWith(prompts));
}

/** The page of the first question. */
export function openPrompt(prompt: WatchedPrompt): WatchState {
  return openPage(stateWith(prompt));
}

const REACH: ListExtent = { last: 100, page: 10 };

/** The keys one after the other. */
export function pressAll(state: WatchState, ...keys: readonly string[]): KeyStep {
  return keys.reduce<KeyStep>((step, key) => press(step.state, key, REACH), { state, action: null });
}
