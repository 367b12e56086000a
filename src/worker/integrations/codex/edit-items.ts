/** Remembers the edits that an app server has reported, because its approval requests do not repeat the changes. */
import { isDeepStrictEqual } from "node:util";
import { toText, type Json } from "../../../model/data/json.js";

/** A turn has a handful of edits at a time. */
export const ITEMS_MAX = 64;

export class EditItems {
  readonly #items = new Map<string, Json>();

  /** Null for an edit that was not reported. */
  find(id: unknown): Json | null {
    return this.#items.get(toText(id) ?? "") ?? null;
  }

  /** Stores a reported edit. Returns its id if its changes differ from what was known; else null. */
  noteStarted(item: Json): string | null {
    return item["type"] === "fileChange" ? this.#keep(toText(item["id"]), item) : null;
  }

  /** The same for new changes of an edit (`item/fileChange/patchUpdated`). */
  notePatched({ itemId, changes }: Json): string | null {
    const id = toText(itemId);
    return this.#keep(id, { type: "fileChange", id, ...this.find(id), changes });
  }

  remove({ id }: Json): void {
    this.#items.delete(toText(id) ?? "");
  }

  clear(): void {
    this.#items.clear();
  }

  #keep(id: string | null, item: Json): string | null {
    const known = this.find(id);
    if (id === null || (!known && this.#items.size >= ITEMS_MAX)) return null;
    this.#items.set(id, item);
    return isDeepStrictEqual(known?.["changes"], item["changes"]) ? null : id;
  }
}
