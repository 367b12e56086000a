/** What an app server tells of edits that are under way: what they change is not told again with the question about them. */
import { isDeepStrictEqual } from "node:util";
import { textOf, type Json } from "../../../model/data/json.js";

/** A turn tells of a handful at a time. */
export const ITEMS_MAX = 64;

export class ToldItems {
  readonly #items = new Map<string, Json>();

  /** Null: nothing was told of it. */
  of(id: unknown): Json | null {
    return this.#items.get(textOf(id) ?? "") ?? null;
  }

  /** The id of an edit that is another one now than what was known of it; null: nobody was told anything else. */
  started(item: Json): string | null {
    return item["type"] === "fileChange" ? this.#keep(textOf(item["id"]), item) : null;
  }

  /** The same, of one whose changes are told anew (`item/fileChange/patchUpdated`). */
  patched({ itemId, changes }: Json): string | null {
    const id = textOf(itemId);
    return this.#keep(id, { type: "fileChange", id, ...this.of(id), changes });
  }

  over({ id }: Json): void {
    this.#items.delete(textOf(id) ?? "");
  }

  clear(): void {
    this.#items.clear();
  }

  #keep(id: string | null, item: Json): string | null {
    const known = this.of(id);
    if (id === null || (!known && this.#items.size >= ITEMS_MAX)) return null;
    this.#items.set(id, item);
    return isDeepStrictEqual(known?.["changes"], item["changes"]) ? null : id;
  }
}
