/** Small values per chat, stored on disk; the oldest are forgotten first. */
import * as v from "valibot";
import type { ChannelHost } from "../../../src/sdk/channel.js";

export interface ExpiringMapOptions<T> {
  readonly name: string;
  readonly entry: v.GenericSchema<unknown, T>;
  /** Entries per chat. */
  readonly max: number;
}

export class ExpiringMap<T> {
  readonly #host: Pick<ChannelHost, "getSetting" | "setSetting">;
  readonly #options: ExpiringMapOptions<T>;

  constructor(host: Pick<ChannelHost, "getSetting" | "setSetting">, options: ExpiringMapOptions<T>) {
    this.#host = host;
    this.#options = options;
  }

  get(chatId: number, key: string): T | null {
    return this.#read(chatId).find(([known]) => known === key)?.[1] ?? null;
  }

  /** The newest key whose value matches. */
  findKey(chatId: number, fits: (value: T) => boolean): string | null {
    return this.listKeys(chatId, fits).at(-1) ?? null;
  }

  listKeys(chatId: number, fits: (value: T) => boolean): string[] {
    return this.#read(chatId).flatMap(([key, value]) => (fits(value) ? [key] : []));
  }

  set(chatId: number, key: string, value: T): void {
    const others = this.#read(chatId).filter(([known]) => known !== key);
    this.#write(chatId, [...others, [key, value]]);
  }

  remove(chatId: number, key: string): void {
    this.#write(
      chatId,
      this.#read(chatId).filter(([known]) => known !== key),
    );
  }

  #read(chatId: number): [string, T][] {
    const parsed = v.safeParse(
      v.array(v.tuple([v.string(), this.#options.entry])),
      parse(this.#host.getSetting(this.#formatKey(chatId))),
    );
    return parsed.success ? parsed.output : [];
  }

  #write(chatId: number, entries: readonly [string, T][]): void {
    this.#host.setSetting(this.#formatKey(chatId), JSON.stringify(entries.slice(-this.#options.max)));
  }

  #formatKey(chatId: number): string {
    return `${this.#options.name}:${chatId}`;
  }
}

function parse(text: string | null): unknown {
  try {
    return text === null ? [] : JSON.parse(text);
  } catch {
    return [];
  }
}
