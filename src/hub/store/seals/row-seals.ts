/**
 * Seals every important row when the hub writes it, and recognizes those rows (ADR 31). Triggers and functions of the hub's own
 * connection do this, so no statement can forget it and no other connection can.
 */
import type Database from "better-sqlite3";
import { deriveKey, matchesMac, computeMac } from "../../audit/row-mac.js";
import { buildRowId, SEALED_NAMES, SEALED_TABLES, type SealedTableName } from "./sealed-tables.js";
import { OpenRowsDigest } from "./open-rows-digest.js";

/** Rows reported per check; the next check finds the rest. */
const NOTED_MAX = 500;

export interface FoundRow {
  readonly table: SealedTableName;
  readonly rowId: string;
}

type RowColumns = readonly unknown[];

export class RowSeals {
  readonly openRows: OpenRowsDigest;
  readonly #sqlite: Database.Database;
  readonly #key: Buffer;
  readonly #columns = new Map<string, readonly string[]>();
  readonly #adopt = new Map<string, Database.Statement<[string]>>();
  readonly #unproved = new Map<string, FoundRow>();
  readonly #ignored = new Set<string>();

  constructor(sqlite: Database.Database, ledgerKey: Buffer) {
    this.#sqlite = sqlite;
    this.#key = deriveKey(ledgerKey, "rows");
    this.openRows = new OpenRowsDigest(deriveKey(ledgerKey, "tally"));
    this.#defineFunctions();
  }

  /** Seals what this connection writes from now on. The tables must exist. */
  guardTables(): void {
    for (const table of SEALED_NAMES) this.#sqlite.exec(this.#buildTriggers(table));
  }

  /** Returns an SQL condition: the hub wrote this row as it is. Rows that fail it are noted. */
  buildOwnCondition(table: SealedTableName): string {
    const columns = this.listColumns(table).map((column) => `${table}.${column}`);
    const id = SEALED_TABLES[table].key.map((column) => `${table}.${column}`).join(" || '/' || ");
    return `row_ours('${table}', ${id}, ${table}.mac, ${columns.join(", ")})`;
  }

  /** An SQL expression that seals a new audit row: its columns as parameters, in the table's order. */
  buildSealedRecord(parameters: string): string {
    return `row_seal('audit', '', 0, ${parameters})`;
  }

  /** The same condition for a row of the audit. */
  buildRecordCondition(): string {
    return `record_ours(audit.mac, ${this.listColumns("audit").join(", ")})`;
  }

  /** Seals all rows as they are: once, for rows from before there were seals. */
  sealEverything(): void {
    for (const table of ["audit", ...SEALED_NAMES]) {
      const columns = this.listColumns(table).join(", ");
      this.#sqlite.exec(`UPDATE ${table} SET mac = row_seal('${table}', '', 0, ${columns})`);
    }
  }

  /** Seals a row that the hub did not write, after all its meaningful fields were overwritten. */
  adopt({ table, rowId }: FoundRow): void {
    this.openRows.put(nameRow(table, rowId), null);
    const known = this.#adopt.get(table) ?? this.#sqlite.prepare<[string]>(this.#buildAdoption(table));
    this.#adopt.set(table, known);
    known.run(rowId);
  }

  #buildAdoption(table: SealedTableName): string {
    const { standing } = SEALED_TABLES[table];
    const columns = this.listColumns(table).join(", ");
    const counts = standing === null ? "0" : standing("");
    const id = buildRowId(table, "");
    return `UPDATE ${table} SET mac = row_seal('${table}', ${id}, ${counts}, ${columns}) WHERE CAST(${id} AS TEXT) = ?`;
  }

  /** Foreign rows found since the last call. */
  takeUnproved(): FoundRow[] {
    const found = [...this.#unproved.values()];
    this.#unproved.clear();
    return found;
  }

  get hasUnproved(): boolean {
    return this.#unproved.size > 0;
  }

  /** The row cannot be handled (its id cannot be expressed in SQL): it is treated as missing and not reported again. */
  ignore(row: FoundRow): void {
    if (this.#ignored.size < NOTED_MAX) this.#ignored.add(nameRow(row.table, row.rowId));
  }

  #note(row: FoundRow): void {
    const name = nameRow(row.table, row.rowId);
    if (!this.#ignored.has(name)) this.#unproved.set(name, row);
  }

  listColumns(table: string): readonly string[] {
    const known = this.#columns.get(table);
    if (known) return known;
    const rows = this.#sqlite.pragma(`main.table_info(${table})`) as { name: string }[];
    const columns = rows.map(({ name }) => name).filter((name) => name !== "mac");
    this.#columns.set(table, columns);
    return columns;
  }

  #buildTriggers(table: SealedTableName): string {
    const { standing, key } = SEALED_TABLES[table];
    const columns = this.listColumns(table);
    const of = (row: string): string => columns.map((column) => `${row}${column}`).join(", ");
    const counts = (row: string): string => (standing === null ? "0" : standing(row));
    const same = key.map((column) => `${column} = NEW.${column}`).join(" AND ");
    const set = (value: string): string => `UPDATE ${table} SET mac = ${value} WHERE ${same};`;
    const fresh = `row_seal('${table}', ${buildRowId(table, "NEW.")}, ${counts("NEW.")}, ${of("NEW.")})`;
    const again = `row_reseal('${table}', ${buildRowId(table, "NEW.")}, ${counts("NEW.")}, OLD.mac, ${of("OLD.")}, ${of("NEW.")})`;
    return `
      CREATE TEMP TRIGGER seal_new_${table} AFTER INSERT ON main.${table} BEGIN ${set(fresh)} END;
      CREATE TEMP TRIGGER seal_changed_${table} AFTER UPDATE OF ${columns.join(", ")} ON main.${table} BEGIN ${set(again)} END;
      CREATE TEMP TRIGGER seal_gone_${table} AFTER DELETE ON main.${table} WHEN ${counts("OLD.")}
        BEGIN SELECT row_gone('${table}', ${buildRowId(table, "OLD.")}); END;`;
  }

  /** `directOnly`: nothing inside the file (a trigger, a view) may call these functions. */
  #defineFunctions(): void {
    const define = (name: string, work: (...values: never[]) => unknown): void =>
      void this.#sqlite.function(name, { varargs: true, directOnly: true }, work);
    define("row_seal", (table: string, rowId: RowId, counts: number, ...columns: RowColumns) => {
      const mac = computeMac(this.#key, table, columns);
      if (counts) this.openRows.put(nameRow(table, rowId), mac);
      return mac;
    });
    define("row_reseal", (table: string, rowId: RowId, counts: number, mac: unknown, ...both: RowColumns) => {
      const before = both.slice(0, both.length / 2);
      // Updating a foreign row does not make it the hub's.
      if (!matchesMac(this.#key, mac, table, before)) return null;
      const next = computeMac(this.#key, table, both.slice(both.length / 2));
      this.openRows.put(nameRow(table, rowId), counts ? next : null);
      return next;
    });
    define("row_gone", (table: string, rowId: RowId) => {
      this.openRows.put(nameRow(table, rowId), null);
      return null;
    });
    define("row_ours", (table: SealedTableName, rowId: RowId, mac: unknown, ...columns: RowColumns) => {
      if (matchesMac(this.#key, mac, table, columns)) return 1;
      if (rowId !== null && this.#unproved.size < NOTED_MAX) this.#note({ table, rowId: String(rowId) });
      return 0;
    });
    define("record_ours", (mac: unknown, ...columns: RowColumns) =>
      matchesMac(this.#key, mac, "audit", columns) ? 1 : 0,
    );
  }
}

/** As SQLite returns it. */
type RowId = string | number | null;

/** The row's name in the proof of open rows. */
export function nameRow(table: string, rowId: RowId): string {
  return `${table} ${String(rowId)}`;
}
