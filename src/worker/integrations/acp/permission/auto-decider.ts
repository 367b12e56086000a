/** Answers permissions by the session's mode. An approval is recorded before the agent gets it. */
import type { Clock } from "../../../../model/clock.js";
import type { PermissionMode } from "../../../../model/permission-mode.js";
import { hashContent } from "../../../detection/prompt-content.js";
import type { PermissionRequest } from "./permission.js";
import { resolvePlaces } from "./call-places.js";
import { decideAutomatically, type Automatic, type PermissionPolicy } from "./permission-mode.js";

export interface AutoDecision {
  readonly mode: PermissionMode;
  /** The pattern or mode that decided, or the service that was used (`fs/write_text_file`). */
  readonly rule: string;
  readonly allowed: boolean;
  /** SHA-256 hex. */
  readonly contentHash: string;
}

/** A hub that has to be started takes up to ten seconds on a loaded machine. */
export const RECORD_WITHIN_MS = 10_000;

const NO_RECORD = "no record";

const CHANGED = "changed meanwhile";

const HISTORY_MAX = 100;

export interface AutoDeciderOptions {
  readonly policy: PermissionPolicy;
  /** Waits for a hub until `giveUp`. Rejects where it may not have been recorded. */
  readonly record: (decision: AutoDecision, giveUp?: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly onAnswered: (line: string, allowed: boolean) => void;
}

export class AutoDecider {
  readonly #options: AutoDeciderOptions;
  readonly #history: AutoDecision[] = [];

  constructor(options: AutoDeciderOptions) {
    this.#options = options;
  }

  get history(): readonly AutoDecision[] {
    return this.#history;
  }

  /**
   * Null: the mode has no answer, and people are asked. Refuses what would be allowed if it is not recorded in time, or if the agent has
   * changed it since.
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

  /** An approval may be on record already, so the refusal is recorded as well. */
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

  #recordLater(decision: AutoDecision): void {
    this.#options.record(decision).catch(() => undefined);
  }

  /** Records and remembers something that the agent did through us, which nobody is asked about. */
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
