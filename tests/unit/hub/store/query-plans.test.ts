/** No statement of the hub scans a large table from end to end, by the query plans of SQLite. */
import { join } from "node:path";
import type Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../../../src/hub/sqlite/open-sqlite.js";
import { openStore } from "../../../../src/hub/store/open-store.js";
import { addSignFunction } from "../../../../src/hub/store/sign-rows.js";
import { Store } from "../../../../src/hub/store/store.js";
import { tempDirectory } from "../rig.js";

/** Tables that grow with every question, step or update. The outbox holds only what is still to be sent. */
const LARGE = [
  "audit",
  "deliveries",
  "injections",
  "prompts",
  "replies",
  "sessions",
  "spool",
  "tasks",
  "tokens",
];
/** Partial indexes of what is open, or rare: a walk along one of them is short. */
const OPEN_ONLY =
  /USING (?:COVERING )?INDEX (?:open_\w+|unhandled_updates|unanswered_updates|deadlines|reminders)\b/;

async function openRecorded(): Promise<{ sqlite: Database.Database; statements: string[] }> {
  const path = join(tempDirectory(), "atlasbridge.db");
  (await openStore({ path, redact: (text) => text })).close();
  const sqlite = openSqlite(path);
  const statements: string[] = [];
  const prepare = sqlite.prepare.bind(sqlite) as (sql: string) => Database.Statement;
  Object.assign(sqlite, {
    prepare: (sql: string) => {
      statements.push(sql);
      return prepare(sql);
    },
  });
  addSignFunction(sqlite, Buffer.alloc(32));
  new Store(sqlite, { redact: (text) => text, key: Buffer.alloc(32) });
  return { sqlite, statements };
}

describe("no statement of the hub reads a large table from end to end", () => {
  it("in the plans of its own statements", async () => {
    const { sqlite, statements } = await openRecorded();
    expect(statements.length).toBeGreaterThan(60);
    const scans = statements.flatMap((sql) => {
      const parameters = sql.match(/[?@]\w*/g) ?? [];
      const named = Object.fromEntries(parameters.map((name) => [name.slice(1), 1]));
      const unnamed = parameters.filter((name) => name === "?").map(() => 1);
      const plan = sqlite
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(unnamed, named);
      return plan
        .filter(({ detail }) => LARGE.includes(/^SCAN (\w+)/.exec(detail)?.[1] ?? ""))
        .filter(({ detail }) => !OPEN_ONLY.test(detail) && !isOrderedWalk(sql, detail))
        .map(({ detail }) => `${detail}: ${sql}`);
    });
    expect(scans).toEqual([]);
    sqlite.close();
  });

  it("in the plans of checks for references to a deleted row", async () => {
    const { sqlite } = await openRecorded();
    const missing = LARGE.flatMap((table) => {
      const indexed = sqlite
        .prepare<[], { name: string; partial: number }>(
          `SELECT name, partial FROM pragma_index_list('${table}') UNION ALL SELECT 'primary', 0`,
        )
        .all()
        .filter(({ partial }) => partial === 0)
        .map(({ name }) => firstColumn(sqlite, table, name));
      return (
        sqlite
          .prepare<[], { column: string; parent: string }>(
            `SELECT "from" AS "column", "table" AS parent FROM pragma_foreign_key_list('${table}')`,
          )
          .all()
          // No row of the audit is ever forgotten.
          .filter(({ column, parent }) => parent !== "audit" && !indexed.includes(column))
          .map(({ column }) => `${table}.${column}`)
      );
    });
    expect(missing).toEqual([]);
    sqlite.close();
  });
});

/** The first row of an order, or one page of it: read along its index, or its key, and left after that. Two orders that are merged are not left. */
function isOrderedWalk(sql: string, detail: string): boolean {
  return (
    /\bLIMIT\b/.test(sql) &&
    !/\bUNION\b(?! ALL)/.test(sql) &&
    (/USING (?:COVERING )?INDEX/.test(detail) || /ORDER BY position DESC LIMIT 1/.test(sql))
  );
}

function firstColumn(sqlite: Database.Database, table: string, index: string): string | undefined {
  const columns =
    index === "primary"
      ? `SELECT name FROM pragma_table_info('${table}') WHERE pk = 1`
      : `SELECT name FROM pragma_index_info('${index}') WHERE seqno = 0`;
  return sqlite.prepare<[], { name: string }>(columns).get()?.name;
}
