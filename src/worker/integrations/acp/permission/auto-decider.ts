/** Answers permissions by the session's mode: each decision is recorded before the agent gets it, and shown in the transcript. */
import type { Clock } from "../../../../model/clock.js";
import type { PermissionMode } from "../../../../model/permission-mode.js";
import { hashContent } from "../../../detection/prompt-content.js";
import type { PermissionRequest } from "./permission.js";
import { resolvePlaces } from "./call-places.js";
import { decideAutomatically, type Automatic, type PermissionPolicy } from "./permission-mode.js";

/** The record of one decision. */
export interface AutoDecision {
  readonly mode: PermissionMode;
  /** The pattern that allowed it, or the mode; or what was done on the agent's word (`fs/write_text_file`). */
  readonly rule: string;
  readonly allowed: boolean;
  /** SHA-256 hex of what was judged. */
  readonly contentHash: string;
}

/** A hub that has to be started first is there within a second or two, on a loaded machine within ten. */
export const RECORD_WITHIN_MS = 10_000;

/** The rule of a refusal because nothing is allowed without a record. */
const NO_RECORD = "no record";

/** The rule of a refusal because it is no longer what was judged. */
const CHANGED = "changed meanwhile";

/** The latest ones that a session can be asked for. */
const HISTORY_MAX = 100;

export interface AutoDeciderOptions {
  readonly policy: PermissionPolicy;
  /** May wait for a hub until `giveUp`. Rejects where it was not recorded, or nobody knows. */
  readonly record: (decision: AutoDecision, giveUp?: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  /** One line for the person at the terminal. */
  readonly onAnswered: (line: string, allowed: boolean) => void;
}

export class AutoDecider {
  readonly #options: AutoDeciderOptions;
  readonly #history: AutoDecision[] = [];

  constructor(options: AutoDeciderOptions) {
    this.#options = options;
  }

  /** Oldest first. */
  get history(): readonly AutoDecision[] {
    return this.#history;
  }

  /**
   * Null: the mode has no answer, and somebody is asked. A refusal needs no record first. What would be allowed and is not on record
   * in time is refused, and so is what the agent has changed since it was judged: the mode was chosen because nobody is there. `cwd`:
   * where the agent works.
   */
  async answer(
    request: PermissionRequest,
    cwd: string,
    isChanged: () => boolean = () => false,
  ): Promise<Automatic | null> {
    const { policy } = this.#options;
    const isListed = policy.mode === "allowlist";
    const places = isListed && request.call ? await resolvePlaces(request.call, cwd) : null;
    const automatic = decideAutomatically(policy, request, places);
    if (!automatic) return null;
    const isOnRecord = automatic.kind === "deny" || (await this.#record(request, automatic.rule));
    const refuse = (rule: string, why: string): Automatic =>
      this.#conclude(request, { kind: "deny", rule }, `✗ refused: ${why}`);
    if (!isOnRecord) return refuse(NO_RECORD, "no hub could record the permission");
    if (automatic.kind === "allow" && isChanged())
      return refuse(CHANGED, "the agent has changed the call meanwhile");
    const verb = automatic.kind === "allow" ? "✓ allowed" : "✗ refused";
    return this.#conclude(request, automatic, `${verb} automatically (${automatic.rule})`);
  }

  /** A refusal is recorded now: where the permission was recorded before, this later record says what the agent really got. */
  #conclude(request: PermissionRequest, automatic: Automatic, message: string): Automatic {
    const allowed = automatic.kind === "allow";
    const decision = this.#createDecision(request, automatic.rule, allowed);
    if (!allowed) this.#recordLater(decision);
    this.#keep(decision);
    this.#options.onAnswered(`${message}: ${request.title}`, allowed);
    return automatic;
  }

  async #record(request: PermissionRequest, rule: string): Promise<boolean> {
    const { record, clock } = this.#options;
    const patience = new AbortController();
    const stopTimer = clock.after(RECORD_WITHIN_MS, () => patience.abort());
    try {
      await record(this.#createDecision(request, rule, true), patience.signal);
      return true;
    } catch {
      return false;
    } finally {
      stopTimer();
    }
  }

  #createDecision(
    { title, text }: Pick<PermissionRequest, "title" | "text">,
    rule: string,
    allowed: boolean,
  ): AutoDecision {
    return { mode: this.#options.policy.mode, rule, allowed, contentHash: hashContent(title, text) };
  }

  /** As soon as there is a hub, if there ever is one. */
  #recordLater(decision: AutoDecision): void {
    this.#options.record(decision).catch(() => undefined);
  }

  /** Something was done on the agent's word that nobody is asked about: on record where there is one, and shown in any case. */
  noteHistory(service: string, content: string): void {
    const decision = this.#createDecision({ title: service, text: content }, service, true);
    this.#keep(decision);
    this.#recordLater(decision);
  }

  #keep(decision: AutoDecision): void {
    this.#history.push(decision);
    if (this.#history.length > HISTORY_MAX) this.#history.shift();
  }
}
