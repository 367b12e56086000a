import type { PromptId, SessionId } from "../../model/ids.js";
import type { PromptNote } from "../../sdk/adapter.js";
import type { Ledger } from "../ledger/ledger.js";
import { createRefusedError } from "../ledger/refused-error.js";
import type { PromptRow } from "../store/tables/prompts.js";
import { advancePrompt } from "./advance-prompt.js";

const TEXTS: Readonly<Record<PromptNote, string>> = {
  screen_differs:
    "⚠️ The terminal has shown a dialog in which this call was not found. Your answer goes to this call alone",
};

/** An answer that is on its way is not disturbed. Errors: ATB_HUB_REFUSED for a prompt of another session. */
export function notePrompt(
  ledger: Ledger,
  sessionId: SessionId,
  promptId: PromptId,
  note: PromptNote,
): Pick<PromptRow, "state"> {
  return ledger.commit((tx) => {
    const prompt = ledger.store.prompts.find(promptId);
    if (prompt?.sessionId !== sessionId) throw createRefusedError("no such prompt of this session");
    const { state, nonce } = prompt;
    if (state === "pending")
      advancePrompt(ledger, tx, prompt, {
        event: { kind: "noted" },
        record: { step: "prompt_noted", details: { note } },
        change: { nonce },
        text: TEXTS[note],
      });
    return { state };
  });
}
