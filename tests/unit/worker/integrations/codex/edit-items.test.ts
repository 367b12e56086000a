/** The latest edits of each item are kept, up to a limit, and a changed item is reported as changed. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../../src/model/data/json.js";
import { ITEMS_MAX, EditItems } from "../../../../../src/worker/integrations/codex/client.js";

const edit = (id: string, diff: string) => ({ type: "fileChange", id, changes: [{ path: "a", diff }] });

const started = (items: EditItems, item: Json) => items.read("item/started", { item });
const patched = (items: EditItems, params: Json) => items.read("item/fileChange/patchUpdated", params);

describe("the kept edits of an item", () => {
  it("are the latest ones, with whether they have changed", () => {
    const items = new EditItems();
    expect(started(items, edit("a", "one"))).toBe("a");
    expect(started(items, edit("a", "one"))).toBeNull();
    expect(patched(items, { itemId: "a", changes: edit("a", "two").changes })).toBe("a");
    expect(items.find("a")).toEqual(edit("a", "two"));
    expect(patched(items, { itemId: "b", changes: [] })).toBe("b");
    expect(started(items, { type: "commandExecution", id: "c" })).toBeNull();
    expect(patched(items, { itemId: 7, changes: [] })).toBeNull();
    items.read("item/completed", { item: { id: "a" } });
    expect([items.find("a"), items.find("c"), items.find(7)]).toEqual([null, null, null]);
  });

  it("are kept for a limited number of items, and always whole", () => {
    const items = new EditItems();
    for (let nth = 0; nth < ITEMS_MAX; nth++) started(items, edit(`item-${nth}`, "one"));
    started(items, edit("more", "one"));
    expect(items.find("more")).toBeNull();
    expect(started(items, edit("item-0", "two"))).toBe("item-0");
    expect(items.find("item-0")).toEqual(edit("item-0", "two"));
  });
});
