/** Finds what may wait at a terminal although no prompt is open: expired prompts, and sessions whose screen cannot be read. */
import {
  describeNoOpenPrompts,
  type FollowedSession,
  type UnansweredPrompt,
} from "../../model/no-open-prompts.js";
import { canOfferAskAgain } from "../delivery/notices/ask-again.js";
import { isLeftUnrelayed } from "../delivery/notices/outcome-text.js";
import type { Ledger } from "../ledger/ledger.js";

/** Prompts without a proved answer whose terminal nobody has checked since, and those that were open in an outgrown session. */
export function findUnansweredPrompts({ store }: Ledger): UnansweredPrompt[] {
  return store.sessions.listOpen().flatMap(({ sessionId, toolState, capabilities: { underTool } }) =>
    store.prompts
      .listSettledInSession(sessionId)
      .filter(
        (prompt) =>
          canOfferAskAgain(store, prompt) || (toolState === "not_relayed" && isLeftUnrelayed(prompt.outcome)),
      )
      .map(({ shortId, state }) => ({ shortId, state, ...(underTool && { underTool }) })),
  );
}

/** The same text as `atlasbridge prompts` prints. */
export function explainNoOpenPrompts(ledger: Ledger): string {
  return describeNoOpenPrompts(findUnansweredPrompts(ledger), listFollowedSessions(ledger));
}

function listFollowedSessions({ store, options }: Ledger): FollowedSession[] {
  return store.sessions.listOpen().map(({ sessionId, tool, label, toolState, pid, capabilities }) => ({
    tool: options.safeText(tool),
    label: label === null ? null : options.safeText(label),
    state: toolState,
    connected: options.isConnected(sessionId),
    stopped: options.processStopped(pid),
    underTool: capabilities.underTool,
  }));
}
