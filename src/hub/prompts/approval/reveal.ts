/** Shows the local user the hidden part of an open prompt. The prompt's worker supplies it; it is passed on and stored nowhere. */
import { LOCAL_IDENTITY } from "../../../model/ids.js";
import { isOpen } from "../../../model/lifecycle.js";
import { describeCheck } from "../../../model/where-to-check.js";
import { createRefusal } from "../../../model/answer/refusal.js";
import type { WorkerLink } from "../../../wire/connection-ends.js";
import { refuseAnswer } from "../claim.js";
import type { Ledger } from "../../ledger/ledger.js";

export interface Revealed {
  readonly text: string | null;
  readonly problem: string | null;
}

/** Recorded before the worker is asked. A supervised tool gets nothing: the text may contain another session's secret. */
export async function revealPrompt(
  ledger: Ledger,
  findLink: (sessionId: string) => WorkerLink | null,
  shortId: string,
  isSupervised: boolean,
): Promise<Revealed> {
  const prompt = ledger.store.prompts.findByShortId(shortId);
  if (isSupervised) {
    const refused = ledger.commit((tx) =>
      refuseAnswer(tx, prompt, LOCAL_IDENTITY, createRefusal("supervised")),
    );
    return { text: null, problem: refused.rejection.text };
  }
  if (!prompt || !isOpen(prompt.state)) return { text: null, problem: createRefusal("unknown_prompt").text };
  const { promptId, sessionId } = prompt;
  const link = findLink(sessionId);
  if (!link)
    return {
      text: null,
      problem: `Its session is not connected. ${describeCheck(ledger.store.sessions.find(sessionId))}`,
    };
  ledger.commit((tx) =>
    tx.record({ step: "prompt_revealed", sessionId, promptId, identity: LOCAL_IDENTITY }),
  );
  const { text } = await link.call("prompt.reveal", { promptId });
  return text === null ? { text, problem: "Nothing of it is hidden." } : { text, problem: null };
}
