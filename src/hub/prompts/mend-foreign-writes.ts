/**
 * Handles foreign writes to the ledger: they are recorded, and nothing that another program wrote, changed or restored takes
 * effect (ADR 31).
 */
import { createRejection } from "../../model/answer/rejection.js";
import { describeRefusal } from "../delivery/notices/outcome-text.js";
import type { ForeignRow, ForeignWriteExamination } from "../store/seals/foreign-writes.js";
import type { QuarantineOptions } from "../store/seals/quarantine.js";
import { advancePrompt } from "./advance-prompt.js";
import { APPROVAL_SCOPE } from "./approval/approval-state.js";
import { USES_SCOPE } from "./rules/rule-uses.js";
import { mendAudit } from "../ledger/mend-audit.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { PAUSE_ROW, pauseUnproved } from "../ledger/pause.js";
import { GRANT_SCOPE } from "../ledger/policy/grants.js";
import { MODE_SCOPE } from "../ledger/policy/policy-mode.js";

/** Rows handled in one transaction; each costs about 50 µs while other calls wait. */
const MENDED_MAX = 500;
/** Rows named in the audit per check. The quarantine holds the rest; the audit has the number. */
const RECORDED_MAX = 30;

/** True if more rows are left. */
export function mendForeignWrites(ledger: Ledger, tx: Transaction): boolean {
  const { store, options } = ledger;
  mendAudit(store, tx.now, options.log);
  const look = store.foreign.findForeignWrites();
  const findings = sortFindings(look.findings).slice(0, MENDED_MAX);
  const endsCardIn = look.unprovable ? listPlaces(ledger) : NOWHERE;
  if (look.written || look.programs.length > 0 || look.unprovable) reportFindings(ledger, tx, look);
  findings.forEach((finding, at) => mend(ledger, tx, finding, { recorded: at < RECORDED_MAX, endsCardIn }));
  if (findings.length > 0) followUp(ledger, tx, findings, look);
  return look.findings.length > findings.length;
}

function reportFindings(
  { options }: Ledger,
  tx: Transaction,
  { findings, programs, unprovable }: ForeignWriteExamination,
): void {
  const details = { rows: findings.length, programs: [...programs], unprovable };
  options.log("error", "another program wrote to the ledger: see `atlasbridge doctor`", details);
  if (unprovable)
    options.log(
      "error",
      "the open rows are not those the last hub left: they were given up, and the hub is paused",
      {
        hint: "If nobody restored the ledger or its key, find out which program wrote to them, then run `atlasbridge resume`.",
      },
    );
  tx.record({ step: "foreign_write_seen", details });
}

const NOWHERE: ReadonlySet<string> = new Set();

/** The places of the current configuration. */
function listPlaces({ options }: Ledger): ReadonlySet<string> {
  return new Set(
    options.configuredChannels().flatMap(({ id, places }) => places.map((place) => `${id}:${place}`)),
  );
}

/**
 * Outbox rows go last, because ending a card adds outbox rows for it. Otherwise the found order stays, with prompts before
 * their cards.
 */
function sortFindings(findings: readonly ForeignRow[]): ForeignRow[] {
  return [...findings].sort((a, b) => Number(b.table === "outbox") - Number(a.table === "outbox"));
}

function mend({ store }: Ledger, tx: Transaction, finding: ForeignRow, keeping: QuarantineOptions): void {
  store.quarantine.keep(finding, tx.now, keeping);
  if (finding.table === "sessions") store.sessions.restore(finding.rowId);
}

function followUp(
  ledger: Ledger,
  tx: Transaction,
  findings: readonly ForeignRow[],
  { unprovable }: ForeignWriteExamination,
): void {
  // Also where a rule's uses, a grant, an approval or a session's mode were changed: rules would answer more than they may.
  const isPauseChanged = findings.some(
    ({ table, rowId }) => table === "settings" && (rowId === PAUSE_ROW || isPolicyRow(rowId)),
  );
  if (isPauseChanged || unprovable) pauseUnproved(ledger, tx);
  reopenUnanswered(ledger, tx);
  for (const { table, rowId } of findings)
    if (table === "prompts") tx.emit({ kind: "prompt", promptId: rowId });
  for (const kind of ["outbox", "deadlines", "overview"] as const) tx.emit({ kind });
}

function isPolicyRow(rowId: string): boolean {
  return [USES_SCOPE, MODE_SCOPE, GRANT_SCOPE, APPROVAL_SCOPE].some((scope) => rowId.startsWith(`${scope}/`));
}

/** Reopens prompts whose answer was lost with its row. */
function reopenUnanswered(ledger: Ledger, tx: Transaction): void {
  const { prompts, replies } = ledger.store;
  for (const prompt of prompts.listOpen()) {
    if (prompt.state !== "answering") continue;
    const reply = prompt.replyId === null ? null : replies.find(prompt.replyId);
    if (reply !== null && reply.state !== "void") continue;
    const { code, text } = createRejection("unproved");
    advancePrompt(ledger, tx, prompt, {
      event: { kind: "refused" },
      record: { step: "reply_refused", details: { replyId: prompt.replyId, code, stillAsked: true } },
      change: { replyId: null, answeredBy: null },
      text: describeRefusal(text, ledger.options.safeText),
    });
  }
}
