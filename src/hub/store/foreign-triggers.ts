/** Drops triggers and views that another program left in the file: they would run on the hub's connection, within its transactions. */
import type Database from "better-sqlite3";

const OWN_TRIGGERS: readonly string[] = ["audit_rows_never_change", "audit_rows_never_go"];

export class ForeignTriggers {
  readonly #sqlite: Database.Database;
  readonly #version: Database.Statement<[], number>;
  readonly #find: Database.Statement<[], { type: string; name: string; table: string }>;
  #checked = -1;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#version = sqlite.prepare<[], number>("PRAGMA schema_version").pluck();
    this.#find = sqlite.prepare(
      `SELECT type, name, tbl_name AS "table" FROM main.sqlite_schema WHERE type IN ('trigger', 'view')`,
    );
  }

  /** Call at the beginning of each transaction that writes: no other program can add one while it lasts. */
  drop(): void {
    if (this.#version.get() === this.#checked) return;
    for (const { type, name, table } of this.#find.all()) {
      if (table === "audit" && OWN_TRIGGERS.includes(name)) continue;
      this.#sqlite.exec(`DROP ${type} main."${name.replaceAll('"', '""')}"`);
    }
    this.#checked = this.#version.get() ?? -1;
  }
}
