/** What people are told where no question is open, at this machine and on the phone: no more than is known. Pure. */
import type { PromptState } from "./lifecycle.js";
import type { ToolState } from "./tool-state.js";

/** A question that is not open any more although nobody is known to have answered it. */
export interface UnansweredPrompt {
  readonly shortId: string;
  readonly state: PromptState;
}

/** A session that has not ended, and whether its questions would be seen. */
export interface FollowedSession {
  readonly tool: string;
  readonly label: string | null;
  readonly state: ToolState;
  readonly connected: boolean;
  /** Its process is stopped. */
  readonly stopped: boolean;
}

/** More than these are counted: the line is to be read at one look. */
const ENDED_NAMED = 5;
const UNSEEN_NAMED = 3;

/** That nothing is asked, or what may still wait without being open, and into which sessions nobody can see. */
export function describeNoOpenPrompts(
  unanswered: readonly UnansweredPrompt[],
  sessions: readonly FollowedSession[],
): string {
  const unseen = describeUnseenSessions(sessions);
  if (unanswered.length === 0 && unseen === null) return "Nothing is asked.";
  return [
    "No question is open.",
    ...(unanswered.length > 0 ? [describeUnansweredPrompts(unanswered)] : []),
    ...(unseen === null ? [] : [unseen]),
  ].join(" ");
}

/** `k7 (expired) may still wait at its terminal: look there.` */
export function describeUnansweredPrompts(unanswered: readonly UnansweredPrompt[]): string {
  const named = unanswered.slice(-ENDED_NAMED).map(({ shortId, state }) => `${shortId} (${state})`);
  const others = unanswered.length - named.length;
  const who = [...(others > 0 ? [`${others} older`] : []), ...named].join(", ");
  return `${who} may still wait at ${unanswered.length === 1 ? "its terminal" : "their terminals"}: look there.`;
}

/** `sh: its screen cannot be followed; look at the terminal.` Null where every session is followed. */
export function describeUnseenSessions(sessions: readonly FollowedSession[]): string | null {
  const unseen = listUnseenSessions(sessions).map(
    ({ session, why }) => `${nameOf(session)}: ${why}; look at the terminal.`,
  );
  const more = unseen.length - UNSEEN_NAMED;
  const others = more > 0 ? [`The same holds for ${more} more.`] : [];
  return unseen.length === 0 ? null : [...unseen.slice(0, UNSEEN_NAMED), ...others].join(" ");
}

/** Sessions whose questions would not be seen. */
export function listUnseenSessions<T extends FollowedSession>(
  sessions: readonly T[],
): { readonly session: T; readonly why: string }[] {
  return sessions.flatMap((session) => {
    const why = whyUnseen(session);
    return why === null ? [] : [{ session, why }];
  });
}

function whyUnseen({ state, connected, stopped }: FollowedSession): string | null {
  if (stopped) return "AtlasBridge's process for it is stopped";
  if (!connected) return "it is not connected";
  return state === "screen_lost" ? "its screen cannot be followed" : null;
}

function nameOf({ tool, label }: FollowedSession): string {
  return label === null ? tool : `${tool} (${label})`;
}
