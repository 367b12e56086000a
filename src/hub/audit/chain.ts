/** The hash chain of the audit: each record's hash covers its fields, its position and the previous hash (ADR 14). Pure. */
import { createHash } from "node:crypto";
import { formatCanonicalJson } from "./canonical.js";

/** Every step that the audit can record. The names are stored data: never reuse or rename one. */
export const AUDIT_STEPS = [
  "hub_started",
  "audit_found_broken",
  "ledger_pruned",
  "strangers_ignored",
  "row_quarantined",
  "screen_asked",
  "stop_asked",
  "clear_asked",
  "recheck_requested",
  "recheck_done",
  "task_taken",
  "task_rejected",
  "task_began",
  "task_ended",
  "hub_paused",
  "hub_resumed",
  "delegation_made",
  "delegation_ended",
  "relay_paused",
  "relay_resumed",
  "mode_set",
  "countdown_stopped",
  "approval_given",
  "approval_dropped",
  "number_wrong",
  "grant_made",
  "grant_revoked",
  "session_opened",
  "screen_lost",
  "session_closed",
  "session_lost",
  "session_outgrown",
  "session_refused",
  "session_link_replaced",
  "call_refused",
  "false_hub_seen",
  "hub_place_mended",
  "endpoint_unconfirmed",
  "endpoint_confirmed",
  "refusals_counted",
  "notice_told",
  "permission_decided",
  "console_opened",
  "console_closed",
  "console_command",
  "console_ended",
  "console_refused",
  "prompt_raised",
  "prompt_asked",
  "prompt_claimed",
  "answer_rejected",
  "reply_refused",
  "injection_began",
  "injection_ended",
  "prompt_withdrawn",
  "prompt_superseded",
  "prompt_expired",
  "prompt_reminded",
  "prompt_noted",
  "prompt_revealed",
  "card_posted",
  "card_edited",
  "card_settled",
  "card_abandoned",
] as const;
export type AuditStep = (typeof AUDIT_STEPS)[number];

/** What a caller records. Position, previous hash and hash are added on append. It holds no reply text and no screen text. */
export interface AuditEntry {
  readonly step: AuditStep;
  readonly sessionId?: string | null;
  readonly promptId?: string | null;
  readonly identity?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** One stored row. `details` is canonical JSON text, so that even a change of spelling breaks the hash. */
export interface AuditRecord {
  /** 1, 2, 3 … without a gap. */
  readonly position: number;
  readonly at: number;
  readonly step: string;
  readonly sessionId: string | null;
  readonly promptId: string | null;
  readonly identity: string | null;
  readonly details: string;
  readonly previous: string;
  readonly hash: string;
}

export const GENESIS = "0".repeat(64);

export function hashRecord(record: Omit<AuditRecord, "hash">): string {
  const { position, at, step, sessionId, promptId, identity, details, previous } = record;
  const covered = { position, at, step, sessionId, promptId, identity, details, previous };
  return createHash("sha256").update(formatCanonicalJson(covered)).digest("hex");
}

export interface ChainHead {
  readonly count: number;
  readonly hash: string;
}

export const EMPTY_CHAIN: ChainHead = { count: 0, hash: GENESIS };

export function chainRecord(
  head: ChainHead,
  at: number,
  entry: Omit<AuditEntry, "details"> & { readonly details: string },
): AuditRecord {
  const open = {
    position: head.count + 1,
    at,
    step: entry.step,
    sessionId: entry.sessionId ?? null,
    promptId: entry.promptId ?? null,
    identity: entry.identity ?? null,
    details: entry.details,
    previous: head.hash,
  };
  return { ...open, hash: hashRecord(open) };
}

export type ChainVerdict =
  | { readonly intact: true; readonly head: ChainHead }
  | {
      readonly intact: false;
      /** Position of the first row that does not fit, or of the first missing row. */
      readonly position: number;
      readonly problem: "missing" | "broken_link" | "changed";
    };

/** Checks the rows after `start` in order of position and returns the first that does not fit. `look` is called with each that fits. */
export function verifyChain(
  records: Iterable<AuditRecord>,
  start: ChainHead = EMPTY_CHAIN,
  look: (record: AuditRecord) => void = () => undefined,
): ChainVerdict {
  let head = start;
  for (const record of records) {
    const position = head.count + 1;
    if (record.position !== position) return { intact: false, position, problem: "missing" };
    if (record.previous !== head.hash) return { intact: false, position, problem: "broken_link" };
    if (record.hash !== hashRecord(record)) return { intact: false, position, problem: "changed" };
    head = { count: position, hash: record.hash };
    look(record);
  }
  return { intact: true, head };
}
