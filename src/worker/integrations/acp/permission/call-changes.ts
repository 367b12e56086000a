/** Notices that an agent changes a call after it has asked for permission. */
import { isEnded, type ToolCall } from "../../../runtimes/protocol/tool-call.js";

/** People are asked again. */
export const CALL_CHANGED = "the agent has changed the call";

/** The call is refused. */
export const KEEPS_CHANGING = "the agent keeps changing the call";

export interface CallReports {
  readonly find: (toolCallId: string) => ToolCall | undefined;
  /** Returns a function that removes the listener. */
  readonly onReport: (listener: (call: ToolCall) => void) => () => void;
}

export interface CallWatch {
  readonly findChanged: () => ToolCall | null;
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

/** `shown`: the call as people see it; null: the request is about none. */
export function watchCall(calls: CallReports, shown: ToolCall | null, reason: string): CallWatch {
  const abort = new AbortController();
  const then = shown === null ? undefined : calls.find(shown.id);
  let changed: ToolCall | null = null;
  const stop = calls.onReport((now) => {
    if (shown === null || now.id !== shown.id || isEnded(now)) return;
    changed = findChangedCall(shown, then, now);
    if (changed !== null) abort.abort(reason);
  });
  return { findChanged: () => changed, signal: abort.signal, stop };
}

/** The parts by which people judge a call. */
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

/** The request (`shown`) may say more of its call than the agent had reported (`then`), so only what was reported since counts (`now`). */
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
