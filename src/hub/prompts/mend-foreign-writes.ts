/** What follows when another program wrote to the ledger: it is put on record, and nothing that it wrote, changed or put back acts (ADR 31). */
import { rejection } from "../../model/answer/rejection.js";
import { refusedText } from "../delivery/notices/outcome-text.js";
import type { ForeignRow, ForeignWriteExamination } from "../store/seals/foreign-writes.js";
import type { Keeping } from "../store/seals/quarantine.js";
import { advancePrompt } from "./advance-prompt.js";
import { mendAudit } from "../ledger/mend-audit.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { PAUSE_ROW, pauseUnproved } from "../ledger/pause.js";

/** Mended in one transaction; each costs some 50 µs, and others wait meanwhile. */
const MENDED_MAX = 500;
/** Of one look these are named in the audit; of more there is the number, and the quarantine. */
const RECORDED_MAX = 30;

/** True when there is more than is mended at once. */
export function mendForeignWrites(ledger: Ledger, tx: Transaction): boolean {
  const { store, options } = ledger;
  mendAudit(store, tx.now, options.log);
  const look = store.foreign.look();
  const findings = inOrder(look.findings).slice(0, MENDED_MAX);
  const endsCardIn = look.unprovable ? placesOf(ledger) : NOWHERE;
  if (look.written || look.programs.length > 0 || look.unprovable) tell(ledger, tx, look);
  findings.forEach((finding, at) => mend(ledger, tx, finding, { recorded: at < RECORDED_MAX, endsCardIn }));
  if (findings.length > 0) followUp(ledger, tx, findings, look);
  return look.findings.length > findings.length;
}

function tell(
  { options }: Ledger,
  tx: Transaction,
  { findings, programs, unprovable }: ForeignWriteExamination,
): void {
  const details = { rows: findings.length, programs: [...programs], unprovable };
  options.log("error", "another program wrote to the ledger: see `atlasbridge doctor`", details);
  if (unprovable)
    options.log(
      "error",
      "what stood open is not what the last hub left: it was given up, and the hub is paused",
      {
        hint: "If nobody restored the ledger or its key, find out what wrote to them; then `atlasbridge resume`.",
      },
    );
  tx.record({ step: "foreign_write_seen", details });
}

const NOWHERE: ReadonlySet<string> = new Set();

/** Where the hub posts, by the configuration alone. */
function placesOf({ options }: Ledger): ReadonlySet<string> {
  return new Set(
    options.configuredChannels().flatMap(({ id, places }) => places.map((place) => `${id}:${place}`)),
  );
}

/** What was to be sent goes first: the last words of a card are put where it stood. Questions come before their cards as they are. */
function inOrder(findings: readonly ForeignRow[]): ForeignRow[] {
  return [...findings].sort((a, b) => Number(b.table === "outbox") - Number(a.table === "outbox"));
}

function mend({ store }: Ledger, tx: Transaction, finding: ForeignRow, keeping: Keeping): void {
  store.quarantine.keep(finding, tx.now, keeping);
  if (finding.table === "sessions") store.sessions.restore(finding.rowId);
}

function followUp(
  ledger: Ledger,
  tx: Transaction,
  findings: readonly ForeignRow[],
  { unprovable }: ForeignWriteExamination,
): void {
  const isPauseChanged = findings.some(({ table, rowId }) => table === "settings" && rowId === PAUSE_ROW);
  if (isPauseChanged || unprovable) pauseUnproved(ledger, tx);
  reopenUnanswered(ledger, tx);
  for (const { table, rowId } of findings)
    if (table === "prompts") tx.tell({ kind: "prompt", promptId: rowId });
  for (const kind of ["outbox", "deadlines", "overview"] as const) tx.tell({ kind });
}

/** A question whose answer went with its row stands again. */
function reopenUnanswered(ledger: Ledger, tx: Transaction): void {
  const { prompts, replies } = ledger.store;
  for (const prompt of prompts.listOpen()) {
    if (prompt.state !== "answering") continue;
    const reply = prompt.replyId === null ? null : replies.find(prompt.replyId);
    if (reply !== null && reply.state !== "void") continue;
    const { code, text } = rejection("unproved");
    advancePrompt(ledger, tx, prompt, {
      event: { kind: "refused" },
      record: { step: "reply_refused", details: { replyId: prompt.replyId, code, stillAsked: true } },
      change: { replyId: null, answeredBy: null },
      text: refusedText(text, ledger.options.safeText),
    });
  }
}
