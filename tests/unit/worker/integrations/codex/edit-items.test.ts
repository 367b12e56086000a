/** The latest edits of each item are kept, up to a limit, and a changed item is reported as changed. */
import { describe, expect, it } from "vitest";
import { ITEMS_MAX, EditItems } from "../../../../../src/worker/integrations/codex/edit-items.js";

const edit = (id: string, diff: string) => ({ type: "fileChange", id, changes: [{ path: "a", diff }] });

describe("the kept edits of an item", () => {
  it("are the latest ones, with whether they have changed", () => {
    const items = new EditItems();
    expect(items.noteStarted(edit("a", "one"))).toBe("a");
    expect(items.noteStarted(edit("a", "one"))).toBeNull();
    expect(items.notePatched({ itemId: "a", changes: edit("a", "two").changes })).toBe("a");
    expect(items.find("a")).toEqual(edit("a", "two"));
    expect(items.notePatched({ itemId: "b", changes: [] })).toBe("b");
    expect(items.noteStarted({ type: "commandExecution", id: "c" })).toBeNull();
    expect(items.notePatched({ itemId: 7, changes: [] })).toBeNull();
    items.remove({ id: "a" });
    expect([items.find("a"), items.find("c"), items.find(7)]).toEqual([null, null, null]);
  });

  it("are kept for a limited number of items, and always whole", () => {
    const items = new EditItems();
    for (let nth = 0; nth < ITEMS_MAX; nth++) items.noteStarted(edit(`item-${nth}`, "one"));
    items.noteStarted(edit("more", "one"));
    expect(items.find("more")).toBeNull();
    expect(items.noteStarted(edit("item-0", "two"))).toBe("item-0");
    expect(items.find("item-0")).toEqual(edit("item-0", "two"));
  });
});
