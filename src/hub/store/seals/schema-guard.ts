/**
 * Checks the triggers and views in the file. A foreign trigger would run on the hub's connection, and its writes would be
 * sealed as the hub's.
 */
import type Database from "better-sqlite3";

/** The audit's own triggers, as the first schema defines them. */
const OWN_TRIGGERS: Readonly<Record<string, string>> = {
  audit_rows_never_change: `CREATE TRIGGER audit_rows_never_change BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'audit rows never change'); END`,
  audit_rows_never_go: `CREATE TRIGGER audit_rows_never_go BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'audit rows never go'); END`,
};

interface SchemaProgram {
  readonly type: "trigger" | "view";
  readonly name: string;
  readonly sql: string;
}

export class SchemaGuard {
  readonly #sqlite: Database.Database;
  readonly #find: Database.Statement<[], SchemaProgram>;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#find = sqlite.prepare(
      "SELECT type, name, sql FROM main.sqlite_schema WHERE type IN ('trigger', 'view')",
    );
  }

  /** Drops foreign triggers and views, restores missing ones, and returns the names of both. */
  mend(): string[] {
    const found = this.#find.all();
    const strange = found.filter(({ name, sql }) => OWN_TRIGGERS[name] !== sql);
    for (const { type, name } of strange)
      this.#sqlite.exec(`DROP ${type} main."${name.replaceAll('"', '""')}"`);
    const kept = new Set(found.filter((program) => !strange.includes(program)).map(({ name }) => name));
    const missing = Object.entries(OWN_TRIGGERS).filter(([name]) => !kept.has(name));
    for (const [, sql] of missing) this.#sqlite.exec(sql);
    return [...strange.map(({ name }) => name), ...missing.map(([name]) => name)];
  }
}
