/** What may wait at a terminal although no question is open: expired ones, and sessions into which nobody can see. */
import {
  describeNoOpenPrompts,
  type FollowedSession,
  type UnansweredPrompt,
} from "../../model/no-open-prompts.js";
import { isAgainOffered } from "../delivery/notices/ask-again.js";
import type { Ledger } from "../ledger/ledger.js";

/** Expired, given up or not proved, and nobody has looked since whether the terminal still asks. */
export function unansweredPrompts({ store }: Ledger): UnansweredPrompt[] {
  return store.sessions
    .listOpen()
    .flatMap(({ sessionId }) => store.prompts.listSettledOf(sessionId))
    .filter((prompt) => isAgainOffered(store, prompt))
    .map(({ shortId, state }) => ({ shortId, state }));
}

/** As `atlasbridge prompts` says it. */
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
