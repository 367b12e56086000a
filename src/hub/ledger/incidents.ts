/** Records refused calls in the audit; to protect the disk, a limited number of rows per kind and time, and a count of the rest. */
import type { Cancel } from "../../model/clock.js";
import type { Incident } from "../../wire/connection-ends.js";
import type { Ledger } from "./ledger.js";

/** More than accidental mistakes cause, yet a day of attacks stays below a hundred thousand rows. */
export const ROWS_MAX = 30;
export const WINDOW_MS = 60_000;

export class IncidentLog {
  readonly #ledger: Ledger;
  readonly #counts = new Map<Incident["step"], number>();
  #cancel: Cancel | null = null;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Never throws: a refusal stands even if it cannot be recorded. */
  record(incident: Incident): void {
    const { clock } = this.#ledger.options;
    const count = (this.#counts.get(incident.step) ?? 0) + 1;
    this.#counts.set(incident.step, count);
    this.#cancel ??= clock.after(WINDOW_MS, () => this.#endWindow());
    if (count <= ROWS_MAX) this.#write(incident.step, incident);
  }

  stop(): void {
    this.#cancel?.();
    if (this.#cancel) this.#endWindow();
  }

  #endWindow(): void {
    this.#cancel = null;
    const more = [...this.#counts].flatMap(([step, count]) =>
      count > ROWS_MAX ? [[step, count - ROWS_MAX] as const] : [],
    );
    this.#counts.clear();
    if (more.length === 0) return;
    this.#write("refusals_counted", { sessionId: null, details: Object.fromEntries(more) });
  }

  #write(
    step: Incident["step"] | "refusals_counted",
    { sessionId, details }: Pick<Incident, "sessionId" | "details">,
  ): void {
    try {
      this.#ledger.commit((tx) => tx.record({ step, sessionId, details }));
    } catch (error) {
      this.#ledger.options.log("error", "a refusal could not be recorded", { step, error: String(error) });
    }
  }
}
