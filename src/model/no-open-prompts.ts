/** The text if no prompt is open, on this machine and on the phone; it claims no more than is known. Pure. */
import type { PromptState } from "./lifecycle.js";
import { describeCheck } from "./where-to-check.js";
import type { ToolState } from "./tool-state.js";

/** A prompt that is no longer open although no answer is confirmed. */
export interface UnansweredPrompt {
  readonly shortId: string;
  readonly state: PromptState;
  /** The agent itself asked it, by a call: no terminal shows it. */
  readonly underTool?: boolean | undefined;
}

/** An open session, and whether its prompts would be noticed. */
export interface FollowedSession {
  readonly tool: string;
  readonly label: string | null;
  readonly state: ToolState;
  readonly connected: boolean;
  /** Its process is stopped. */
  readonly stopped: boolean;
  /** The agent itself asks, by a call: no terminal shows its prompts. */
  readonly underTool?: boolean | undefined;
}

/** In the row that stands for one that cannot be read: nothing but its ids is known. */
export const NO_SHORT_ID = "-";

/** The rest is counted, so that the line stays short. */
const ENDED_NAMED = 5;
const UNSEEN_NAMED = 3;

/** Says that no prompt is open, and lists prompts that may still wait and sessions whose screen cannot be read. */
export function describeNoOpenPrompts(
  unanswered: readonly UnansweredPrompt[],
  sessions: readonly FollowedSession[],
): string {
  const unseen = describeUnseenSessions(sessions);
  if (unanswered.length === 0 && unseen === null) return "No open prompts.";
  return [
    "No prompt is open.",
    ...(unanswered.length > 0 ? [describeUnansweredPrompts(unanswered)] : []),
    ...(unseen === null ? [] : [unseen]),
  ].join(" ");
}

/** `k7 (expired) may still wait at its terminal: check it.` */
export function describeUnansweredPrompts(unanswered: readonly UnansweredPrompt[]): string {
  const named = unanswered
    .slice(-ENDED_NAMED)
    .map(({ shortId, state }) =>
      shortId === NO_SHORT_ID ? "a prompt whose record was put aside" : `${shortId} (${state})`,
    );
  const others = unanswered.length - named.length;
  // A short id keeps its small letter: it is what people type.
  const who = [...(others > 0 ? [`${others} older`] : []), ...named].join(", ").replace(/^a /, "A ");
  if (unanswered.some(({ underTool }) => underTool))
    return `${who} may still wait: check where it was asked.`;
  return `${who} may still wait at ${unanswered.length === 1 ? "its terminal" : "their terminals"}: check there.`;
}

/** `sh: its screen cannot be read; check the terminal.` Null if every session is followed. */
export function describeUnseenSessions(sessions: readonly FollowedSession[]): string | null {
  const unseen = listUnseenSessions(sessions).map(
    ({ session, why }) => `${getName(session)}: ${why}; ${describeCheckFor(session)}`,
  );
  const more = unseen.length - UNSEEN_NAMED;
  const others = more > 0 ? [`The same holds for ${more} more.`] : [];
  return unseen.length === 0 ? null : [...unseen.slice(0, UNSEEN_NAMED), ...others].join(" ");
}

/** Sessions whose prompts would not be noticed. */
export function listUnseenSessions<T extends FollowedSession>(
  sessions: readonly T[],
): { readonly session: T; readonly why: string }[] {
  return sessions.flatMap((session) => {
    const why = findUnseenReason(session);
    return why === null ? [] : [{ session, why }];
  });
}

function describeCheckFor({ underTool }: FollowedSession): string {
  const check = describeCheck({ capabilities: { underTool } });
  return `${check.slice(0, 1).toLowerCase()}${check.slice(1)}`;
}

function findUnseenReason({ state, connected, stopped }: FollowedSession): string | null {
  if (stopped) return "its AtlasBridge process is stopped";
  if (state === "not_relayed") return "its AtlasBridge is too old for the hub";
  if (!connected) return "it is not connected";
  return state === "screen_lost" ? "its screen cannot be read" : null;
}

function getName({ tool, label }: FollowedSession): string {
  return label === null ? tool : `${tool} (${label})`;
}
