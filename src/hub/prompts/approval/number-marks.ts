/** What a session's window title says: the numbers of open prompts, as long as they are asked for, and that its prompts are held back. */
import type { WorkerLink } from "../../../wire/connection-ends.js";
import type { Ledger } from "../../ledger/ledger.js";
import { isRelayPaused } from "../../store/relay-pause.js";
import { mayNeedNumber, showsNumber, ensureNumber } from "./number.js";

const HELD_BACK_MARK = "⏸ prompts held back: too many";

export class NumberMarks {
  readonly #ledger: Ledger;
  readonly #findLink: (sessionId: string) => WorkerLink | null;
  readonly #told = new WeakMap<WorkerLink, string | null>();

  constructor(ledger: Ledger, findLink: (sessionId: string) => WorkerLink | null) {
    this.#ledger = ledger;
    this.#findLink = findLink;
  }

  promptChanged(promptId: string): void {
    const prompt = this.#ledger.store.prompts.find(promptId);
    // Only such a prompt ever had a number.
    if (prompt && mayNeedNumber(prompt)) this.update(prompt.sessionId);
  }

  update(sessionId: string): void {
    const link = this.#findLink(sessionId);
    if (link === null) return;
    const text = this.#describe(sessionId);
    if (text === (this.#told.get(link) ?? null)) return;
    this.#told.set(link, text);
    // An older worker does not know the call; the number is still shown by a command.
    link.call("session.mark", { text }).catch(() => undefined);
  }

  #describe(sessionId: string): string | null {
    const open = this.#ledger.store.prompts
      .listOpenInSession(sessionId)
      .filter((prompt) => showsNumber(this.#ledger, prompt));
    const isHeldBack = isRelayPaused(this.#ledger.store, sessionId);
    const held = isHeldBack ? [HELD_BACK_MARK] : [];
    if (open.length === 0) return isHeldBack ? HELD_BACK_MARK : null;
    const numbers = this.#ledger.commit(() =>
      open.map((prompt) => `${prompt.shortId}: ${ensureNumber(this.#ledger, prompt)}`),
    );
    return [...held, `🔢 ${numbers.join(", ")}`].join(" · ");
  }
}
