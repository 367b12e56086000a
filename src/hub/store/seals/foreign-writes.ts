/**
 * Detects foreign writes to the ledger: SQLite reports that another connection wrote, the seals show which rows are not the
 * hub's, and the proof of open rows shows which were restored or removed (ADR 31).
 */
import type Database from "better-sqlite3";
import type { AuditLog } from "../audit-log.js";
import { locateKeptSeals, readKeptSeals } from "./kept-seals.js";
import { SchemaGuard } from "./schema-guard.js";
import { nameRow, type FoundRow, type RowSeals } from "./row-seals.js";
import { buildRowId, SEALED_NAMES, SEALED_TABLES, type SealedTableName } from "./sealed-tables.js";

/** `put_back`: the hub wrote the row once, but it is not the row's latest version. */
export type ForeignRowProblem = "not_ours" | "put_back" | "gone";

export interface ForeignRow extends FoundRow {
  readonly problem: ForeignRowProblem;
}

/** What was found in the file when it was opened. */
export interface ForeignWriteReport {
  /** Whether the migration has just sealed its rows: it is then unknown who wrote them. */
  readonly trusted: boolean;
  readonly programs: readonly string[];
}

export interface ForeignWriteExamination {
  readonly findings: readonly ForeignRow[];
  /** Whether another program wrote while this hub ran. */
  readonly written: boolean;
  /** Triggers and views that were not the hub's, or were missing. */
  readonly programs: readonly string[];
  /** At the first check: the open rows are not those the last hub left, so anything may have changed. */
  readonly unprovable: boolean;
}

interface OpenRow extends FoundRow {
  readonly mac: Buffer;
}

type OpenRowsQuery = readonly [
  table: SealedTableName,
  find: Database.Statement<[], { id: string; mac: Buffer }>,
];

export class ForeignWrites {
  readonly #schema: SchemaGuard;
  readonly #seals: RowSeals;
  readonly #audit: AuditLog;
  readonly #dataVersion: Database.Statement<[], number>;
  readonly #putProof: Database.Statement<[Buffer]>;
  readonly #readProof: Database.Statement<[], Buffer>;
  readonly #openRows: readonly OpenRowsQuery[];
  readonly #foreign: readonly Database.Statement<[]>[];
  #proof = "";
  #version: number;
  #looked = 0;
  #mendedAt: number | null = null;
  #programs: string[] = [];
  /** True before the first check, or while one check does not cover everything. */
  #needsCheck = true;
  #isFirst = true;
  #unprovable: boolean;

  constructor(sqlite: Database.Database, seals: RowSeals, audit: AuditLog, found?: ForeignWriteReport) {
    this.#schema = new SchemaGuard(sqlite);
    this.#seals = seals;
    this.#audit = audit;
    this.#dataVersion = sqlite.prepare<[], number>("PRAGMA data_version").pluck();
    this.#putProof = sqlite.prepare(
      "INSERT INTO tally VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET proof = excluded.proof",
    );
    this.#readProof = sqlite.prepare<[], Buffer>("SELECT proof FROM tally").pluck();
    this.#openRows = SEALED_NAMES.flatMap((table): OpenRowsQuery[] => {
      const { standing } = SEALED_TABLES[table];
      if (standing === null) return [];
      const find = sqlite.prepare<[], { id: string; mac: Buffer }>(
        `SELECT CAST(${buildRowId(table, "")} AS TEXT) AS id, mac FROM ${table} WHERE ${standing("")} AND ${seals.buildOwnCondition(table)}`,
      );
      return [[table, find]];
    });
    // Searching the other tables' open rows also finds foreign rows among them.
    this.#foreign = SEALED_NAMES.filter((table) => SEALED_TABLES[table].standing === null).map((table) =>
      sqlite.prepare<[]>(
        `SELECT 1 FROM ${table} WHERE ${SEALED_TABLES[table].examined} AND NOT ${seals.buildOwnCondition(table)}`,
      ),
    );
    this.#programs = [...(found?.programs ?? [])];
    this.#version = this.#dataVersion.get() ?? 0;
    this.#unprovable = !this.#count(sqlite.name) && found?.trusted !== true;
  }

  /** Whether another program wrote, or a row that is not the hub's was found. */
  get isSuspected(): boolean {
    return this.#needsCheck || this.#seals.hasUnproved || this.#dataVersion.get() !== this.#version;
  }

  /** Called first in every transaction: nothing that another program put into the file may run in it. */
  beginWrite(): void {
    const version = this.#dataVersion.get() ?? 0;
    if (version === this.#mendedAt) return;
    this.#programs.push(...this.#schema.mend());
    this.#mendedAt = version;
  }

  /** Called last in every transaction: updates the proof of open rows. */
  endWrite(): void {
    const proof = this.#seals.openRows.proof(this.#audit.ownHead());
    const text = proof.toString("hex");
    if (text === this.#proof) return;
    this.#putProof.run(proof);
    this.#proof = text;
  }

  committed(): void {
    this.#audit.noteCommit();
    this.#seals.openRows.settle();
  }

  /** Called when the transaction was rolled back. */
  failed(): void {
    this.#proof = "";
    this.#mendedAt = null;
    this.#audit.noteRollback();
    this.#seals.openRows.rollBack();
  }

  /** Returns what must be handled. Runs inside the transaction that handles it; call `seen` after the commit. */
  findForeignWrites(): ForeignWriteExamination {
    this.#looked = this.#dataVersion.get() ?? 0;
    const written = this.#looked !== this.#version;
    for (const statement of this.#foreign) statement.all();
    // What was counted when the file was opened need not be read again.
    const isCounted = this.#isFirst && !written && !this.#unprovable;
    const standing = isCounted ? null : this.#readOpenRows();
    const strange = this.#seals.takeUnproved().map((row): ForeignRow => ({ ...row, problem: "not_ours" }));
    const names = new Set(strange.map(nameFoundRow));
    const findings = [...strange, ...(standing === null ? [] : this.#unaccounted(standing, names))];
    return { findings, written, programs: this.#programs, unprovable: this.#unprovable };
  }

  /** Marks the last findings as recorded. `more`: some are left for another transaction. */
  markRecorded(more: boolean): void {
    this.#version = this.#looked;
    this.#needsCheck = more;
    this.#isFirst = false;
    this.#unprovable &&= more;
    this.#programs = [];
  }

  #readOpenRows(): OpenRow[] {
    return this.#openRows.flatMap(([table, find]) =>
      find.all().map(({ id, mac }) => ({ table, rowId: id, mac })),
    );
  }

  #unaccounted(rows: readonly OpenRow[], strange: ReadonlySet<string>): ForeignRow[] {
    const { openRows } = this.#seals;
    if (this.#unprovable) return rows.map(({ table, rowId }) => ({ table, rowId, problem: "put_back" }));
    const there = new Set(rows.map(nameFoundRow));
    const putBack = rows.filter((row) => !openRows.has(nameFoundRow(row), row.mac));
    const gone = openRows.names.filter((name) => !there.has(name) && !strange.has(name));
    return [
      ...putBack.map(({ table, rowId }): ForeignRow => ({ table, rowId, problem: "put_back" })),
      ...gone.map((name): ForeignRow => ({ ...parseRowName(name), problem: "gone" })),
    ];
  }

  /** Counts the open rows. False if they differ from the last commit. */
  #count(path: string): boolean {
    const { openRows } = this.#seals;
    for (const [table, statement] of this.#openRows)
      for (const { id, mac } of statement.all()) openRows.put(nameRow(table, id), mac);
    openRows.settle();
    const head = this.#audit.ownHead();
    const left = this.#readProof.get();
    if (left === undefined) return head.count === 0 && openRows.names.length === 0;
    return left.equals(openRows.proof(head)) && !this.#audit.isBehind(readKeptSeals(locateKeptSeals(path)));
  }
}

function nameFoundRow({ table, rowId }: FoundRow): string {
  return nameRow(table, rowId);
}

function parseRowName(name: string): FoundRow {
  const at = name.indexOf(" ");
  return { table: name.slice(0, at) as SealedTableName, rowId: name.slice(at + 1) };
}
