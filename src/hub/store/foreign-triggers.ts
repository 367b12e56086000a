/** Drops triggers and views that another program left in the file: they would run on the hub's connection, within its transactions. */
import type Database from "better-sqlite3";

import { OWN_TRIGGERS } from "./migrations.js";

export class ForeignTriggers {
  readonly #sqlite: Database.Database;
  readonly #version: Database.Statement<[], number>;
  readonly #find: Database.Statement<[], { type: string; name: string; sql: string }>;
  #checked = -1;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#version = sqlite.prepare<[], number>("PRAGMA schema_version").pluck();
    this.#find = sqlite.prepare(
      "SELECT type, name, sql FROM main.sqlite_schema WHERE type IN ('trigger', 'view')",
    );
  }

  /** Call at the beginning of each transaction that writes: no other program can add one while it lasts. */
  drop(): void {
    if (this.#version.get() === this.#checked) return;
    const found = this.#find.all();
    for (const { type, name, sql } of found) {
      if (OWN_TRIGGERS.includes(sql)) continue;
      this.#sqlite.exec(`DROP ${type} main."${name.replaceAll('"', '""')}"`);
    }
    for (const sql of OWN_TRIGGERS) if (!found.some((own) => own.sql === sql)) this.#sqlite.exec(sql);
    this.#checked = this.#version.get() ?? -1;
  }

  /** Call after a rollback: what was dropped in the transaction is there again. */
  noteRollback(): void {
    this.#checked = -1;
  }
}
