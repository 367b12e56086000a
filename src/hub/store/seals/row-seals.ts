/**
 * Seals every row with authority as the hub writes it, and tells those rows from others (ADR 31). Triggers and functions of the hub's own
 * connection do it, so that no statement can forget it, and a program with another connection has neither.
 */
import type Database from "better-sqlite3";
import { deriveKey, isMacOf, macOf } from "../../audit/row-mac.js";
import { rowIdOf, SEALED_NAMES, SEALED_TABLES, type SealedTableName } from "./sealed-tables.js";
import { Tally } from "./tally.js";

/** Rows found in one look; the next look finds the rest. */
const NOTED_MAX = 500;

export interface FoundRow {
  readonly table: SealedTableName;
  readonly rowId: string;
}

type Columns = readonly unknown[];

export class RowSeals {
  readonly tally: Tally;
  readonly #sqlite: Database.Database;
  readonly #key: Buffer;
  readonly #columns = new Map<string, readonly string[]>();
  readonly #adopt = new Map<string, Database.Statement<[string]>>();
  readonly #unproved = new Map<string, FoundRow>();
  readonly #ignored = new Set<string>();

  constructor(sqlite: Database.Database, ledgerKey: Buffer) {
    this.#sqlite = sqlite;
    this.#key = deriveKey(ledgerKey, "rows");
    this.tally = new Tally(deriveKey(ledgerKey, "tally"));
    this.#defineFunctions();
  }

  /** From now on what this connection writes is sealed. The tables must be there. */
  guardTables(): void {
    for (const table of SEALED_NAMES) this.#sqlite.exec(this.#triggersOf(table));
  }

  /** A condition: the hub wrote this row just so. Rows for which it fails are noted. */
  ours(table: SealedTableName): string {
    const columns = this.columnsOf(table).map((column) => `${table}.${column}`);
    const id = SEALED_TABLES[table].key.map((column) => `${table}.${column}`).join(" || '/' || ");
    return `row_ours('${table}', ${id}, ${table}.mac, ${columns.join(", ")})`;
  }

  /** For a row of the audit in the making: its columns as parameters, in the table's order. */
  sealedRecord(parameters: string): string {
    return `row_seal('audit', '', 0, ${parameters})`;
  }

  /** The same condition for a row of the audit. */
  ownRecord(): string {
    return `record_ours(audit.mac, ${this.columnsOf("audit").join(", ")})`;
  }

  /** Seals all rows as they are: once, for what was written before there were seals. */
  sealEverything(): void {
    for (const table of ["audit", ...SEALED_NAMES]) {
      const columns = this.columnsOf(table).join(", ");
      this.#sqlite.exec(`UPDATE ${table} SET mac = row_seal('${table}', '', 0, ${columns})`);
    }
  }

  /** Seals a row that the hub did not write, after everything in it that means anything was overwritten. */
  adopt({ table, rowId }: FoundRow): void {
    this.tally.put(nameOf(table, rowId), null);
    const known = this.#adopt.get(table) ?? this.#sqlite.prepare<[string]>(this.#adoptionOf(table));
    this.#adopt.set(table, known);
    known.run(rowId);
  }

  #adoptionOf(table: SealedTableName): string {
    const { standing } = SEALED_TABLES[table];
    const columns = this.columnsOf(table).join(", ");
    const counts = standing === null ? "0" : standing("");
    const id = rowIdOf(table, "");
    return `UPDATE ${table} SET mac = row_seal('${table}', ${id}, ${counts}, ${columns}) WHERE CAST(${id} AS TEXT) = ?`;
  }

  /** What was come across since the last time. */
  takeUnproved(): FoundRow[] {
    const found = [...this.#unproved.values()];
    this.#unproved.clear();
    return found;
  }

  get hasUnproved(): boolean {
    return this.#unproved.size > 0;
  }

  /** It cannot be mended (its name cannot be said in SQL): it stays what is not there, and nobody is told of it again. */
  ignore(row: FoundRow): void {
    if (this.#ignored.size < NOTED_MAX) this.#ignored.add(nameOf(row.table, row.rowId));
  }

  #note(row: FoundRow): void {
    const name = nameOf(row.table, row.rowId);
    if (!this.#ignored.has(name)) this.#unproved.set(name, row);
  }

  columnsOf(table: string): readonly string[] {
    const known = this.#columns.get(table);
    if (known) return known;
    const rows = this.#sqlite.pragma(`main.table_info(${table})`) as { name: string }[];
    const columns = rows.map(({ name }) => name).filter((name) => name !== "mac");
    this.#columns.set(table, columns);
    return columns;
  }

  #triggersOf(table: SealedTableName): string {
    const { standing, key } = SEALED_TABLES[table];
    const columns = this.columnsOf(table);
    const of = (row: string): string => columns.map((column) => `${row}${column}`).join(", ");
    const counts = (row: string): string => (standing === null ? "0" : standing(row));
    const same = key.map((column) => `${column} = NEW.${column}`).join(" AND ");
    const set = (value: string): string => `UPDATE ${table} SET mac = ${value} WHERE ${same};`;
    const fresh = `row_seal('${table}', ${rowIdOf(table, "NEW.")}, ${counts("NEW.")}, ${of("NEW.")})`;
    const again = `row_reseal('${table}', ${rowIdOf(table, "NEW.")}, ${counts("NEW.")}, OLD.mac, ${of("OLD.")}, ${of("NEW.")})`;
    return `
      CREATE TEMP TRIGGER seal_new_${table} AFTER INSERT ON main.${table} BEGIN ${set(fresh)} END;
      CREATE TEMP TRIGGER seal_changed_${table} AFTER UPDATE OF ${columns.join(", ")} ON main.${table} BEGIN ${set(again)} END;
      CREATE TEMP TRIGGER seal_gone_${table} AFTER DELETE ON main.${table} WHEN ${counts("OLD.")}
        BEGIN SELECT row_gone('${table}', ${rowIdOf(table, "OLD.")}); END;`;
  }

  /** `directOnly`: nothing that stands in the file itself (a trigger, a view) may call them. */
  #defineFunctions(): void {
    const define = (name: string, work: (...values: never[]) => unknown): void =>
      void this.#sqlite.function(name, { varargs: true, directOnly: true }, work);
    define("row_seal", (table: string, rowId: RowId, counts: number, ...columns: Columns) => {
      const mac = macOf(this.#key, table, columns);
      if (counts) this.tally.put(nameOf(table, rowId), mac);
      return mac;
    });
    define("row_reseal", (table: string, rowId: RowId, counts: number, mac: unknown, ...both: Columns) => {
      const before = both.slice(0, both.length / 2);
      // To change a row of somebody else's does not make it the hub's.
      if (!isMacOf(this.#key, mac, table, before)) return null;
      const next = macOf(this.#key, table, both.slice(both.length / 2));
      this.tally.put(nameOf(table, rowId), counts ? next : null);
      return next;
    });
    define("row_gone", (table: string, rowId: RowId) => {
      this.tally.put(nameOf(table, rowId), null);
      return null;
    });
    define("row_ours", (table: SealedTableName, rowId: RowId, mac: unknown, ...columns: Columns) => {
      if (isMacOf(this.#key, mac, table, columns)) return 1;
      if (rowId !== null && this.#unproved.size < NOTED_MAX) this.#note({ table, rowId: String(rowId) });
      return 0;
    });
    define("record_ours", (mac: unknown, ...columns: Columns) =>
      isMacOf(this.#key, mac, "audit", columns) ? 1 : 0,
    );
  }
}

/** As SQLite gives it. */
type RowId = string | number | null;

/** How the tally names a row. */
export function nameOf(table: string, rowId: RowId): string {
  return `${table} ${String(rowId)}`;
}
