/** Finds what may wait at a terminal although no prompt is open: expired prompts, and sessions whose screen cannot be read. */
import {
  describeNoOpenPrompts,
  type FollowedSession,
  type UnansweredPrompt,
} from "../../model/no-open-prompts.js";
import { canOfferAskAgain } from "../delivery/notices/ask-again.js";
import type { Ledger } from "../ledger/ledger.js";

/** Prompts that expired, were given up or have an unproved answer, and whose terminal nobody has checked since. */
export function findUnansweredPrompts({ store }: Ledger): UnansweredPrompt[] {
  return store.sessions
    .listOpen()
    .flatMap(({ sessionId }) => store.prompts.listSettledInSession(sessionId))
    .filter((prompt) => canOfferAskAgain(store, prompt))
    .map(({ shortId, state }) => ({ shortId, state }));
}

/** The same text as `atlasbridge prompts` prints. */
export function describeNoOpenPromptsOf(ledger: Ledger): string {
  return describeNoOpenPrompts(findUnansweredPrompts(ledger), listFollowedSessions(ledger));
}

function listFollowedSessions({ store, options }: Ledger): FollowedSession[] {
  return store.sessions.listOpen().map(({ sessionId, tool, label, toolState, pid }) => ({
    tool: options.safeText(tool),
    label: label === null ? null : options.safeText(label),
    state: toolState,
    connected: options.isConnected(sessionId),
    stopped: options.processStopped(pid),
  }));
}
