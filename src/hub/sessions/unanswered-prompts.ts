/** Finds what may wait at a terminal although no prompt is open: expired prompts, and sessions whose screen cannot be read. */
import {
  describeNoOpenPrompts,
  type FollowedSession,
  type UnansweredPrompt,
} from "../../model/no-open-prompts.js";
import { isAgainOffered } from "../delivery/notices/ask-again.js";
import type { Ledger } from "../ledger/ledger.js";

/** Prompts that expired, were given up or have an unproved answer, and whose terminal nobody has checked since. */
export function unansweredPrompts({ store }: Ledger): UnansweredPrompt[] {
  return store.sessions
    .listOpen()
    .flatMap(({ sessionId }) => store.prompts.listSettledOf(sessionId))
    .filter((prompt) => isAgainOffered(store, prompt))
    .map(({ shortId, state }) => ({ shortId, state }));
}

/** The same text as `atlasbridge prompts` prints. */
export function noOpenPromptsText(ledger: Ledger): string {
  return describeNoOpenPrompts(unansweredPrompts(ledger), followedSessions(ledger));
}

function followedSessions({ store, options }: Ledger): FollowedSession[] {
  return store.sessions.listOpen().map(({ sessionId, tool, label, toolState, pid }) => ({
    tool: options.safeText(tool),
    label: label === null ? null : options.safeText(label),
    state: toolState,
    connected: options.isConnected(sessionId),
    stopped: options.processStopped(pid),
  }));
}
