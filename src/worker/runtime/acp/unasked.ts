/** Permissions that the session's mode answers: each is on record before the agent hears of it, and shown to whoever looks. */
import type { PermissionMode } from "../../../model/permission-mode.js";
import { contentHashOf } from "../../detect/asked-content.js";
import type { PermissionRequest } from "./permission.js";
import { placesOf } from "./call-places.js";
import { automaticAnswer, type Automatic, type PermissionPolicy } from "./permission-mode.js";

/** What goes on record of one. */
export interface UnaskedDecision {
  readonly mode: PermissionMode;
  /** The pattern that allowed it, or the mode; or what was done on the agent's word (`fs/write_text_file`). */
  readonly rule: string;
  readonly allowed: boolean;
  /** SHA-256 hex of what was judged. */
  readonly contentHash: string;
}

/** The latest ones that a session can be asked for. */
const HISTORY_MAX = 100;

export interface UnaskedOptions {
  readonly policy: PermissionPolicy;
  /** Rejects where it cannot be recorded. */
  readonly record: (decision: UnaskedDecision) => Promise<unknown>;
  /** In one line for whoever looks on. */
  readonly onAnswered: (line: string, allowed: boolean) => void;
}

export class Unasked {
  readonly #options: UnaskedOptions;
  readonly #history: UnaskedDecision[] = [];

  constructor(options: UnaskedOptions) {
    this.#options = options;
  }

  /** Oldest first. */
  get history(): readonly UnaskedDecision[] {
    return this.#history;
  }

  /** Null: somebody is asked; also where it could not be put on record. `cwd`: where the agent works. */
  async answer(request: PermissionRequest, cwd: string): Promise<Automatic | null> {
    const { policy, record, onAnswered } = this.#options;
    const isListed = policy.mode === "allowlist";
    const places = isListed && request.call ? await placesOf(request.call, cwd) : null;
    const automatic = automaticAnswer(policy, request, places);
    if (!automatic) return null;
    const { rule } = automatic;
    const allowed = automatic.kind === "allow";
    const decision = {
      mode: policy.mode,
      rule,
      allowed,
      contentHash: contentHashOf(request.title, request.text),
    };
    try {
      await record(decision);
    } catch {
      return null;
    }
    this.#keep(decision);
    onAnswered(`${allowed ? "✓ allowed" : "✗ refused"} unasked (${rule}): ${request.title}`, allowed);
    return automatic;
  }

  /** Something was done on the agent's word that nobody is asked about: on record where there is one, and shown in any case. */
  noted(service: string, content: string): void {
    const { policy, record } = this.#options;
    const decision = {
      mode: policy.mode,
      rule: service,
      allowed: true,
      contentHash: contentHashOf(service, content),
    };
    this.#keep(decision);
    record(decision).catch(() => undefined);
  }

  #keep(decision: UnaskedDecision): void {
    this.#history.push(decision);
    if (this.#history.length > HISTORY_MAX) this.#history.shift();
  }
}
