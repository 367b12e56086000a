/** A size that a program set is told from one that we set. */
import { expect, it } from "vitest";
import { SizeWatch } from "../../../../../src/worker/detection/live/size-watch.js";

it("is changed by others only, and only where the system tells it", () => {
  let size: { cols: number; rows: number } | null = { cols: 80, rows: 24 };
  const watch = new SizeWatch(() => size);
  expect(watch.isChanged).toBe(false);
  watch.note();
  expect(watch.isChanged).toBe(false);
  size = { cols: 100, rows: 24 };
  expect(watch.isChanged).toBe(true);
  // We set it, or a prompt was raised at this size.
  watch.note();
  expect(watch.isChanged).toBe(false);
  size = { cols: 100, rows: 25 };
  expect(watch.isChanged).toBe(true);
  size = null;
  expect(watch.isChanged).toBe(false);
});
