/** Table `settings`: small durable values by scope (`hub`, or a channel's id). */
import type Database from "better-sqlite3";
import type { RowSeals } from "../seals/row-seals.js";

export class HubSettings {
  readonly #get: Database.Statement<[string, string], { value: string }>;
  readonly #list: Database.Statement<[string], { key: string; value: string }>;
  readonly #remove: Database.Statement<[string, string]>;
  readonly #set: Database.Statement<[string, string, string]>;

  constructor(sqlite: Database.Database, seals: RowSeals) {
    this.#get = sqlite.prepare(
      `SELECT value FROM settings WHERE scope = ? AND key = ? AND ${seals.buildOwnCondition("settings")}`,
    );
    this.#list = sqlite.prepare(
      `SELECT key, value FROM settings WHERE scope = ? AND ${seals.buildOwnCondition("settings")} ORDER BY key`,
    );
    this.#remove = sqlite.prepare("DELETE FROM settings WHERE scope = ? AND key = ?");
    this.#set = sqlite.prepare(
      `INSERT INTO settings VALUES (?, ?, ?, NULL) ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value`,
    );
  }

  get(scope: string, key: string): string | null {
    return this.#get.get(scope, key)?.value ?? null;
  }

  list(scope: string): { readonly key: string; readonly value: string }[] {
    return this.#list.all(scope);
  }

  remove(scope: string, key: string): void {
    this.#remove.run(scope, key);
  }

  set(scope: string, key: string, value: string): void {
    this.#set.run(scope, key, value);
  }
}
