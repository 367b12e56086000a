/** Table `settings`: small durable values by scope (`hub`, or a channel's id). A value that the hub did not sign counts as absent. */
import { SIGNATURES } from "../sign-rows.js";
import { Table } from "./table.js";

interface StoredSetting {
  readonly key: string;
  readonly value: string;
}

const IS_SIGNED = `mac = ${SIGNATURES.settings}`;

export class HubSettings extends Table {
  readonly #get = this.sqlite.prepare<[string, string], { value: string }>(
    `SELECT value FROM settings WHERE scope = ? AND key = ? AND ${IS_SIGNED}`,
  );
  readonly #list = this.sqlite.prepare<[string], StoredSetting>(
    `SELECT key, value FROM settings WHERE scope = ? AND ${IS_SIGNED} ORDER BY key`,
  );
  readonly #remove = this.sqlite.prepare<[string, string]>(
    "DELETE FROM settings WHERE scope = ? AND key = ?",
  );
  readonly #set = this.sqlite.prepare<[{ scope: string; key: string; value: string }]>(
    `INSERT INTO settings VALUES (@scope, @key, @value, sign('settings', @scope, @key, @value))
       ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value, mac = excluded.mac`,
  );

  get(scope: string, key: string): string | null {
    return this.#get.get(scope, key)?.value ?? null;
  }

  list(scope: string): StoredSetting[] {
    return this.#list.all(scope);
  }

  /** A value that was stored as JSON; null if there is none, or it cannot be read. */
  getJson(scope: string, key: string): unknown {
    const value = this.get(scope, key);
    return value === null ? null : (this.#parse(scope, [{ key, value }])[0]?.value ?? null);
  }

  listJson(scope: string): { readonly key: string; readonly value: unknown }[] {
    return this.#parse(scope, this.list(scope));
  }

  remove(scope: string, key: string): void {
    this.#remove.run(scope, key);
  }

  set(scope: string, key: string, value: string): void {
    this.#set.run({ scope, key, value });
  }

  #parse(scope: string, rows: readonly StoredSetting[]): { readonly key: string; readonly value: unknown }[] {
    return this.parse(
      "settings",
      rows,
      ({ key }) => `${scope}/${key}`,
      ({ key, value }) => ({
        key,
        value: JSON.parse(value) as unknown,
      }),
    );
  }
}
