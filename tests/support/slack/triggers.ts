/** Trigger ids: good for one modal within three seconds. */
import { Refusal } from "./refusal.js";

export class Triggers {
  readonly #ttlMs: number;
  readonly #issued = new Map<string, { readonly user: string; readonly at: number; used: boolean }>();
  #last = 0;

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  issue(user: string): string {
    const id = `${++this.#last}.1234567890.${Buffer.from(user).toString("hex")}`;
    this.#issued.set(id, { user, at: performance.now(), used: false });
    return id;
  }

  /** Whose it is. */
  redeem(id: unknown): string {
    const trigger = typeof id === "string" ? this.#issued.get(id) : undefined;
    if (!trigger) throw new Refusal("invalid_trigger_id");
    if (performance.now() - trigger.at > this.#ttlMs) throw new Refusal("expired_trigger_id");
    if (trigger.used) throw new Refusal("exchanged_trigger_id");
    trigger.used = true;
    return trigger.user;
  }
}
