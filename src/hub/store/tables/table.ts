import type Database from "better-sqlite3";

export type ParsedTable = "sessions" | "prompts" | "deliveries" | "outbox" | "spool" | "settings";

export interface Unreadable {
  note(table: ParsedTable, rowId: string): void;
}

export abstract class Table {
  protected readonly sqlite: Database.Database;
  readonly #unreadable: Unreadable;

  constructor(sqlite: Database.Database, unreadable: Unreadable) {
    this.sqlite = sqlite;
    this.#unreadable = unreadable;
  }

  /** Leaves out the rows that cannot be read; the next step sets them aside. */
  protected parse<S, T>(
    table: ParsedTable,
    rows: readonly S[],
    getId: (row: S) => string | number,
    build: (row: S) => T,
  ): T[] {
    return rows.flatMap((row) => {
      try {
        return [build(row)];
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        this.#unreadable.note(table, String(getId(row)));
        return [];
      }
    });
  }
}
