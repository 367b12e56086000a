import { describe, expect, it } from "vitest";
import { PAGE_BYTES_MAX, pageAfter } from "../../../src/hub/serve/page.js";

const item = (id: string, bytes = 10) => ({ id, text: "x".repeat(bytes) });
const page = (items: ReturnType<typeof item>[], after?: string) =>
  pageAfter(items, ({ id }) => id, after).map(({ id }) => id);

describe("a page of a list", () => {
  it("is the whole list where that fits", () => {
    expect(page([item("a"), item("b")])).toEqual(["a", "b"]);
  });

  it("goes on behind the item that was last", () => {
    expect(page([item("a"), item("b"), item("c")], "b")).toEqual(["c"]);
    expect(page([item("a")], "a")).toEqual([]);
  });

  it("ends before it is too long for a line, and all pages together are the list", () => {
    const items = ["a", "b", "c", "d", "e"].map((id) => item(id, PAGE_BYTES_MAX * 0.4));
    expect(page(items)).toEqual(["a", "b", "c"]);
    expect(page(items, "c")).toEqual(["d", "e"]);
  });

  it("holds an item that alone is larger than a page", () => {
    expect(page([item("a", PAGE_BYTES_MAX + 1), item("b")])).toEqual(["a"]);
  });

  it("begins anew behind an item that is gone", () => {
    expect(page([item("a"), item("b")], "gone")).toEqual(["a", "b"]);
  });
});
