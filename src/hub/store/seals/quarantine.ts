/**
 * The table `quarantine`: the content of rows that the hub did not write (another program wrote them, or a page was damaged). A
 * harmless replacement takes the row's place and is recorded, so that the hub keeps working; `doctor` lists them.
 */
import type Database from "better-sqlite3";
import type { AuditLog } from "../audit-log.js";
import type { ForeignRow } from "./foreign-writes.js";
import { ENDED_CARD, GIVEN_UP, MENDED } from "./mended-rows.js";
import { findProvedEnd, type ProvedEnd } from "./proved-end.js";
import { nameRow, type RowSeals } from "./row-seals.js";
import { buildRowId, SEALED_NAMES, type SealedTableName } from "./sealed-tables.js";

export interface QuarantineOptions {
  /** Whether to name it in the audit. */
  readonly recorded: boolean;
  /** Places (`channel:place`) where a posted card without proof is told that it ended; elsewhere it is dropped. */
  readonly endsCardIn: ReadonlySet<string>;
}

/** Enough to recognize the row; huge fields are not stored twice. */
const CONTENT_MAX = 4096;

interface Mending {
  readonly id: string;
  readonly at: number;
}

interface Statements {
  readonly read: Database.Statement<[string], Record<string, unknown>>;
  readonly mend: readonly Database.Statement<[Mending]>[];
}

export class Quarantine {
  readonly #seals: RowSeals;
  readonly #audit: AuditLog;
  readonly #redact: (text: string) => string;
  readonly #insert: Database.Statement<[string, string, string, string, number]>;
  readonly #endPrompt: Database.Statement<[ProvedEnd & { id: string }]>;
  readonly #endCards: Database.Statement<[{ id: string; outcome: string }]>;
  readonly #endCard: readonly Database.Statement<[Mending]>[];
  readonly #isEnded: Database.Statement<[unknown], 1>;
  readonly #of: ReadonlyMap<SealedTableName, Statements>;

  constructor(sqlite: Database.Database, seals: RowSeals, audit: AuditLog, redact: (text: string) => string) {
    this.#seals = seals;
    this.#audit = audit;
    this.#redact = redact;
    this.#insert = sqlite.prepare(
      "INSERT INTO quarantine (table_name, row_id, problem, content, found_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    );
    this.#endPrompt = sqlite.prepare(
      `UPDATE prompts SET state = @state, outcome = @text, event = json_set(event, '$.excerpt', @text) WHERE prompt_id = @id`,
    );
    this.#endCards = sqlite.prepare(
      `UPDATE outbox SET outcome = @outcome WHERE kind = 'settle' AND outcome = ${GIVEN_UP}
         AND delivery_id IN (SELECT delivery_id FROM deliveries WHERE prompt_id = @id)`,
    );
    this.#endCard = ENDED_CARD.map((sql) => sqlite.prepare<[Mending]>(sql));
    this.#isEnded = sqlite
      .prepare<[unknown], 1>("SELECT 1 FROM prompts WHERE prompt_id = ? AND closed_at IS NOT NULL")
      .pluck();
    const prepareStatements = (table: SealedTableName): Statements => {
      const id = buildRowId(table, "");
      return {
        read: sqlite.prepare(`SELECT ${seals.listColumns(table).join(", ")} FROM ${table} WHERE ${id} = ?`),
        mend: MENDED[table].map((sql) => sqlite.prepare<[Mending]>(sql)),
      };
    };
    this.#of = new Map(SEALED_NAMES.map((table) => [table, prepareStatements(table)]));
  }

  /** Stores the row's content and replaces it with something harmless. Runs inside a transaction. */
  keep({ table, rowId, problem }: ForeignRow, at: number, { recorded, endsCardIn }: QuarantineOptions): void {
    const statements = this.#of.get(table);
    const row = statements?.read.get(rowId);
    const endsCard = table === "deliveries" && row !== undefined && this.#isPostedCard(row, endsCardIn);
    const mend = endsCard ? this.#endCard : (statements?.mend ?? []);
    // What people wrote to the bot must not be stored.
    const content = row === undefined || table === "spool" ? "" : this.#redact(JSON.stringify(row));
    this.#insert.run(table, rowId, problem, content.slice(0, CONTENT_MAX), at);
    for (const statement of mend) statement.run({ id: rowId, at });
    if (table === "prompts" && row !== undefined) this.#keepProvedEnd(rowId);
    if (row !== undefined) this.#seals.adopt({ table, rowId });
    else if (problem === "not_ours") this.#seals.ignore({ table, rowId });
    else this.#seals.openRows.put(nameRow(table, rowId), null);
    if (!recorded) return;
    this.#record({ table, rowId, problem }, row, at);
  }

  /** The row is the only source for its message. */
  #isPostedCard(row: Readonly<Record<string, unknown>>, places: ReadonlySet<string>): boolean {
    const { prompt_id, text, state, ref, channel, place } = row;
    if (text !== null || state !== "posted" || !places.has(`${String(channel)}:${String(place)}`))
      return false;
    return isRef(ref) && this.#isEnded.get(prompt_id) === 1;
  }

  /** If the prompt had ended according to the audit, it was not given up now: its row and cards show how it ended. */
  #keepProvedEnd(id: string): void {
    const end = findProvedEnd(this.#audit.listOwnSteps(id));
    if (end === null) return;
    this.#endPrompt.run({ id, ...end });
    this.#endCards.run({ id, outcome: JSON.stringify({ ...end, final: true }) });
  }

  #record(
    { table, rowId, problem }: ForeignRow,
    row: Readonly<Record<string, unknown>> | undefined,
    at: number,
  ): void {
    const known = (id: unknown): string | null => (typeof id === "string" ? id : null);
    this.#audit.append(at, {
      step: "row_quarantined",
      // Nothing in a row that states its own owner is trusted except its id.
      ...(table === "prompts" && { promptId: known(row?.["prompt_id"]) ?? rowId }),
      ...(table === "sessions" && { sessionId: rowId }),
      details: { table, rowId, problem },
    });
  }
}

function isRef(ref: unknown): boolean {
  if (typeof ref !== "string") return false;
  try {
    return JSON.parse(ref) !== null;
  } catch {
    return false;
  }
}
