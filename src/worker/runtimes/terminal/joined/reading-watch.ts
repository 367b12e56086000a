/** Finds where a request and a dialog of the same session meet, or do not, and compares them once for each request (ADR 40). */
import type { Cancel, Clock } from "../../../../model/clock.js";
import type { Candidate } from "../../../../sdk/candidate.js";
import {
  compareReading,
  type ReadingDifference,
  type RequestPrompt,
} from "../../../prompts/compare-reading.js";
import { isAskedByCalls } from "../../../prompts/dialog-matches-call.js";
import { TOOL_LIMITS } from "../../../prompts/limits.js";
import type { PendingRequest } from "../../../prompts/pending-request.js";
import type { DialogOnScreen, JoinedPrompt } from "./joined-prompt.js";

type Sources = Pick<JoinedPrompt, "drawn" | "waiting">;

export interface ComparedReading {
  readonly dialog: Candidate | null;
  readonly differences: readonly ReadingDifference[];
}

export interface ReadingWatchOptions {
  readonly clock: Pick<Clock, "after">;
  readonly onCompared: (reading: ComparedReading) => void;
}

export class ReadingWatch {
  readonly #options: ReadingWatchOptions;
  readonly #compared = new WeakSet<RequestPrompt>();
  #aside: DialogOnScreen | null = null;
  #awaited: PendingRequest | null = null;
  #cancel: Cancel = () => undefined;

  constructor(options: ReadingWatchOptions) {
    this.#options = options;
  }

  update(prompts: readonly Sources[], aside: DialogOnScreen | null): void {
    this.#aside = aside;
    for (const { drawn, waiting } of prompts)
      if (drawn && waiting) this.compare(drawn.candidate, waiting.request.prompt);
    this.#await(this.#findUndrawn(prompts));
  }

  /** `question`: what the tool says of this dialog. Only the first time counts. */
  compare(dialog: Candidate, question: RequestPrompt): void {
    if (this.#compared.has(question)) return;
    this.#compared.add(question);
    this.#options.onCompared({ dialog, differences: compareReading(dialog, question) });
  }

  stop(): void {
    this.#await(null);
  }

  /** The oldest request that should be drawn. The others wait while the dialog of one is on the screen. */
  #findUndrawn(prompts: readonly Sources[]): PendingRequest | null {
    if (prompts.some(({ drawn, waiting }) => drawn && waiting)) return null;
    const undrawn = prompts.find(
      ({ drawn, waiting }) =>
        !drawn && waiting?.request.matchesDialog && !this.#compared.has(waiting.request.prompt),
    );
    return undrawn?.waiting?.request ?? null;
  }

  #await(request: PendingRequest | null): void {
    if (request === this.#awaited) return;
    this.#cancel();
    this.#awaited = request;
    this.#cancel =
      request === null
        ? () => undefined
        : this.#options.clock.after(TOOL_LIMITS.drawnWithinMs, () => this.#reportUndrawn(request));
  }

  #reportUndrawn(request: PendingRequest): void {
    this.#awaited = null;
    this.#compared.add(request.prompt);
    const drawn = this.#aside?.candidate;
    const dialog = drawn && isAskedByCalls(drawn) ? drawn : null;
    this.#options.onCompared({ dialog, differences: [dialog ? "other" : "unseen"] });
  }
}
