/** Notices what an agent changes of a call after it asked for permission: nobody has seen that. */
import { isEnded, type ToolCall } from "../../../runtimes/protocol/tool-call.js";

/** The reason with which a request is taken back to be asked anew. */
export const CALL_CHANGED = "the agent has changed the call";

/** The reason where it is not asked anew but refused. */
export const KEEPS_CHANGING = "the agent keeps changing the call";

/** What was reported of the agent's calls by now. */
export interface CallReports {
  readonly find: (toolCallId: string) => ToolCall | undefined;
  /** `listener` is called after each report, until the returned function is called. */
  readonly onReport: (listener: (call: ToolCall) => void) => () => void;
}

export interface CallWatch {
  /** The call as it is now; null while it is unchanged. */
  readonly findChanged: () => ToolCall | null;
  /** Aborted with the reason that the watch was given. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

/** Watches a call until it is stopped. `shown`: the call as people see it; null: the request is about none. */
export function watchCall(calls: CallReports, shown: ToolCall | null, reason: string): CallWatch {
  const abort = new AbortController();
  const then = shown === null ? undefined : calls.find(shown.id);
  let changed: ToolCall | null = null;
  const stop = calls.onReport((now) => {
    // What is over is no longer asked about.
    if (shown === null || now.id !== shown.id || isEnded(now)) return;
    changed = findChangedCall(shown, then, now);
    if (changed !== null) abort.abort(reason);
  });
  return { findChanged: () => changed, signal: abort.signal, stop };
}

/** All by which a call is judged. Its state and its output are not. */
const JUDGED = ["title", "name", "kind", "content", "locations", "input"] as const;

type Judged = Pick<ToolCall, (typeof JUDGED)[number]>;

const NOT_REPORTED: Judged = {
  title: null,
  name: null,
  kind: null,
  content: [],
  locations: [],
  input: undefined,
};

/**
 * A request may say more of its call (`shown`) than was reported of it, so only what was reported otherwise since then counts: `then`
 * is the call as reported before the request, `now` as reported by now.
 */
function findChangedCall(shown: ToolCall, then: ToolCall | undefined, now: ToolCall): ToolCall | null {
  const before = then ?? NOT_REPORTED;
  const changed = JUDGED.filter(
    (name) =>
      serialize(name, now) !== serialize(name, before) && serialize(name, now) !== serialize(name, shown),
  );
  if (changed.length === 0) return null;
  return { ...shown, ...Object.fromEntries(changed.map((name) => [name, now[name]])) };
}

function serialize(name: (typeof JUDGED)[number], call: Judged): string {
  // A terminal only shows the output of the call.
  const value = name === "content" ? call.content.filter(({ type }) => type !== "terminal") : call[name];
  return JSON.stringify(value ?? null);
}
