/** What can go wrong on demand. A fault holds for the next matching calls only. */
import type { BrokenReply } from "../http/broken-reply.js";

export type Fault =
  | BrokenReply
  /** The service refuses, as it words it. */
  | { readonly error: string; readonly more?: Readonly<Record<string, unknown>> }
  /** A status of its own. `retryAfter` in seconds with 429. */
  | { readonly status: number; readonly retryAfter?: number }
  /** No reply, ever; nothing happened. */
  | "hang"
  /** The connection is cut before anything happened. */
  | "drop"
  /** It happened, and then the connection is cut. */
  | "drop-after-effect"
  /** It happened, and the reply never comes. */
  | "hang-after-effect"
  /** A proxy's page instead of JSON. */
  | "garbage"
  /** JSON that says ok, and nothing else. */
  | "hollow";

export class Faults {
  readonly #planned: { readonly method: string; readonly fault: Fault }[] = [];

  /** `method` as called, or "*" for any. */
  add(method: string, fault: Fault, times: number): void {
    for (let count = 0; count < times; count += 1) this.#planned.push({ method, fault });
  }

  take(method: string): Fault | null {
    const at = this.#planned.findIndex((plan) => plan.method === "*" || plan.method === method);
    return at < 0 ? null : (this.#planned.splice(at, 1)[0]?.fault ?? null);
  }

  get left(): number {
    return this.#planned.length;
  }

  clear(): void {
    this.#planned.length = 0;
  }
}
