import type Database from "better-sqlite3";

/** The tables that have columns of JSON, which may turn out to be unreadable. */
export type ParsedTable = "sessions" | "prompts" | "deliveries" | "outbox" | "spool" | "settings";

export interface Unreadable {
  note(table: ParsedTable, rowId: string): void;
}

type Statement = Database.Statement<[unknown]>;

/**
 * A table of the ledger: its statements as functions, whose arguments are `?1`, `?2` … or one object with the named ones. They are
 * prepared when the database is opened, so that a missing table shows there and not during an answer.
 */
export abstract class Table<Stored = unknown, Row = Stored> {
  readonly #sqlite: Database.Database;
  readonly #unreadable: Unreadable;

  constructor(sqlite: Database.Database, unreadable: Unreadable) {
    this.#sqlite = sqlite;
    this.#unreadable = unreadable;
  }

  /** Returns the row in the form that the program uses. Throws a SyntaxError if it cannot be read. */
  protected decode(stored: Stored): Row {
    return stored as unknown as Row;
  }

  /** Where a row stands that cannot be read. */
  protected locate?(stored: Stored): readonly [table: ParsedTable, id: string | number];

  /** Leaves out the rows that cannot be read; the next step sets them aside. */
  protected rows<P extends readonly unknown[] = []>(sql: string): (...values: P) => Row[] {
    const records = this.records<P, Stored>(sql);
    return (...values) =>
      records(...values).flatMap((stored) => {
        try {
          return [this.decode(stored)];
        } catch (error) {
          if (!(error instanceof SyntaxError) || this.locate === undefined) throw error;
          const [table, id] = this.locate(stored);
          this.#unreadable.note(table, String(id));
          return [];
        }
      });
  }

  protected row<P extends readonly unknown[] = []>(sql: string): (...values: P) => Row | null {
    const rows = this.rows<P>(sql);
    return (...values) => rows(...values)[0] ?? null;
  }

  /** Rows that are not those of the table itself. */
  protected records<P extends readonly unknown[], T>(sql: string): (...values: P) => T[] {
    const statement = this.#prepare(sql);
    return (...values) => statement.all(bind(values)) as T[];
  }

  /** The first column of the first row; null if there is no row. */
  protected value<P extends readonly unknown[], T>(sql: string): (...values: P) => T | null {
    const statement = this.#prepare(sql).pluck();
    return (...values) => (statement.get(bind(values)) as T | null | undefined) ?? null;
  }

  protected number<P extends readonly unknown[] = []>(sql: string): (...values: P) => number {
    const value = this.value<P, number>(sql);
    return (...values) => value(...values) ?? 0;
  }

  protected exists<P extends readonly unknown[]>(sql: string): (...values: P) => boolean {
    const value = this.value<P, number>(`SELECT EXISTS (${sql})`);
    return (...values) => value(...values) === 1;
  }

  /** The returned function says how many rows it has changed. */
  protected change<P extends readonly unknown[] = []>(sql: string): (...values: P) => number {
    const statement = this.#prepare(sql);
    return (...values) => statement.run(bind(values)).changes;
  }

  #prepare(sql: string): Statement {
    return this.#sqlite.prepare<[unknown]>(sql);
  }
}

function bind(values: readonly unknown[]): unknown {
  return typeof values[0] === "object" && values[0] !== null ? values[0] : { ...["", ...values] };
}
