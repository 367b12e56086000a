/** Shows the local user what is hidden of an open prompt. It is asked of the prompt's worker, passed on, and kept nowhere. */
import { LOCAL_IDENTITY } from "../../model/ids.js";
import { isOpen } from "../../model/lifecycle.js";
import { rejection } from "../../model/answer/rejection.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import { rejectAnswer } from "./claim.js";
import type { Ledger } from "../ledger/ledger.js";

export interface Revealed {
  readonly text: string | null;
  /** Why not; null with a text. */
  readonly problem: string | null;
}

/** Each look is on record before the worker is asked. A supervised tool sees nothing: a secret of another session may stand there. */
export async function revealPrompt(
  ledger: Ledger,
  linkOf: (sessionId: string) => WorkerLink | null,
  shortId: string,
  isSupervised: boolean,
): Promise<Revealed> {
  const prompt = ledger.store.prompts.findByShortId(shortId);
  if (isSupervised) {
    const refused = ledger.commit((tx) => rejectAnswer(tx, prompt, LOCAL_IDENTITY, rejection("supervised")));
    return { text: null, problem: refused.rejection.text };
  }
  if (!prompt || !isOpen(prompt.state)) return { text: null, problem: rejection("unknown_prompt").text };
  const { promptId, sessionId } = prompt;
  const link = linkOf(sessionId);
  if (!link) return { text: null, problem: "Its session is not connected: look at its terminal." };
  ledger.commit((tx) =>
    tx.record({ step: "prompt_revealed", sessionId, promptId, identity: LOCAL_IDENTITY }),
  );
  const { text } = await link.call("prompt.reveal", { promptId });
  return text === null ? { text, problem: "Nothing of it is hidden." } : { text, problem: null };
}
