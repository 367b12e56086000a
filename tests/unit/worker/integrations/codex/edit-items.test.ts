/** The latest edits of each item are kept, up to a limit, and a changed item is reported as changed. */
import { describe, expect, it } from "vitest";
import { ITEMS_MAX, EditItems } from "../../../../../src/worker/integrations/codex/edit-items.js";

const edit = (id: string, diff: string) => ({ type: "fileChange", id, changes: [{ path: "a", diff }] });

describe("the kept edits of an item", () => {
  it("are the latest ones, with whether they have changed", () => {
    const items = new EditItems();
    expect(items.started(edit("a", "one"))).toBe("a");
    expect(items.started(edit("a", "one"))).toBeNull();
    expect(items.patched({ itemId: "a", changes: edit("a", "two").changes })).toBe("a");
    expect(items.of("a")).toEqual(edit("a", "two"));
    expect(items.patched({ itemId: "b", changes: [] })).toBe("b");
    expect(items.started({ type: "commandExecution", id: "c" })).toBeNull();
    expect(items.patched({ itemId: 7, changes: [] })).toBeNull();
    items.over({ id: "a" });
    expect([items.of("a"), items.of("c"), items.of(7)]).toEqual([null, null, null]);
  });

  it("are kept for a limited number of items, and always whole", () => {
    const items = new EditItems();
    for (let nth = 0; nth < ITEMS_MAX; nth++) items.started(edit(`item-${nth}`, "one"));
    items.started(edit("more", "one"));
    expect(items.of("more")).toBeNull();
    expect(items.started(edit("item-0", "two"))).toBe("item-0");
    expect(items.of("item-0")).toEqual(edit("item-0", "two"));
  });
});
