/** Questions and sessions for tests of `watch`, and a view that shows them. */
import { stripVTControlCharacters } from "node:util";
import type { WatchAnswer } from "../../../../src/cli/watch/answers.js";
import { WatchView } from "../../../../src/cli/watch/view.js";
import type { InspectedSession } from "../../../../src/client/seen-sessions.js";
import type { WatchedHub, WatchedPrompt } from "../../../../src/client/watch-hub.js";

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

const KEYS: Readonly<Record<string, string>> = {
  up: "\u001b[A",
  down: "\u001b[B",
  left: "\u001b[D",
  home: "\u001b[H",
  end: "\u001b[F",
  pageUp: "\u001b[5~",
  pageDown: "\u001b[6~",
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  space: " ",
  "ctrl+c": "\u0003",
  "ctrl+d": "\u0004",
};

/** A view of a hub, and what was asked of it. */
export class Watched {
  readonly actions: string[] = [];
  readonly answers: WatchAnswer[] = [];
  readonly view: WatchView;
  rows = 24;

  constructor(hub: WatchedHub | null, ...keys: readonly string[]) {
    const note = (action: string) => () => void this.actions.push(action);
    this.view = new WatchView({
      redraw: () => undefined,
      quit: note("quit"),
      suspend: note("suspend"),
      callPerson: () => undefined,
      answer: (_, given) => {
        this.answers.push(given);
        return new Promise(() => undefined);
      },
      askAgain: (promptId) => {
        this.actions.push(`again ${promptId}`);
        return new Promise(() => undefined);
      },
      now: () => NOW,
      countRows: () => this.rows,
    });
    if (hub) this.view.refreshed(hub);
    this.press(...keys);
  }

  /** Keys by name, one after the other; anything else is typed. */
  press(...keys: readonly string[]): this {
    for (const key of keys) {
      this.view.render(80);
      this.view.handleInput(KEYS[key] ?? key);
    }
    return this;
  }

  text(cols = 80, rows = 24): string {
    this.rows = rows;
    return this.view.render(cols).map(stripVTControlCharacters).join("\n");
  }

  /** The highlighted row. */
  get here(): string | null {
    return /^❯ (.*?) *$/m.exec(this.text())?.[1] ?? null;
  }
}

/** The list of these questions, after the keys. */
export function watch(prompts: readonly WatchedPrompt[], ...keys: readonly string[]): Watched {
  return new Watched(hubWith(prompts), ...keys);
}

/** The page of a question, after the keys. */
export function onPage(prompt: WatchedPrompt, ...keys: readonly string[]): Watched {
  return watch([prompt], "enter", ...keys);
}
