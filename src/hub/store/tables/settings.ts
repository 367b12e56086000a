/** Table `settings`: small durable values by scope (`hub`, or a channel's id). A value that the hub did not sign counts as absent. */
import { checkSignature, nameParameter, writeSignature } from "../sign-rows.js";
import { Table } from "./table.js";

interface StoredSetting {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

interface ParsedSetting {
  readonly key: string;
  readonly value: unknown;
}

const SELECT = `SELECT scope, key, value FROM settings WHERE ${checkSignature("settings")}`;

export class HubSettings extends Table<StoredSetting, ParsedSetting> {
  readonly get = this.value<[scope: string, key: string], string>(
    `SELECT value FROM settings WHERE ${checkSignature("settings")} AND scope = ?1 AND key = ?2`,
  );
  readonly list = this.records<[scope: string], Omit<StoredSetting, "scope">>(
    `SELECT key, value FROM settings WHERE ${checkSignature("settings")} AND scope = ?1 ORDER BY key`,
  );
  readonly listJson = this.rows<[scope: string]>(`${SELECT} AND scope = ?1 ORDER BY key`);
  readonly remove = this.change<[scope: string, key: string]>(
    "DELETE FROM settings WHERE scope = ?1 AND key = ?2",
  );
  readonly #set = this.change<[StoredSetting]>(
    `INSERT INTO settings VALUES (@scope, @key, @value, ${writeSignature("settings", nameParameter)})
       ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value, mac = excluded.mac`,
  );
  readonly #one = this.row<[scope: string, key: string]>(`${SELECT} AND scope = ?1 AND key = ?2`);

  set(scope: string, key: string, value: string): void {
    this.#set({ scope, key, value });
  }

  /** A value that was stored as JSON; null if there is none, or it cannot be read. */
  getJson(scope: string, key: string): unknown {
    return this.#one(scope, key)?.value ?? null;
  }

  protected override decode({ key, value }: StoredSetting): ParsedSetting {
    return { key, value: JSON.parse(value) as unknown };
  }

  protected override locate({ scope, key }: StoredSetting) {
    return ["settings", `${scope}/${key}`] as const;
  }
}
