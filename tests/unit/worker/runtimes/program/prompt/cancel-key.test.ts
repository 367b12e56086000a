/** What Ctrl-C or Ctrl-D has done to a line is known once the program waits for the next key. */
import { expect, it } from "vitest";
import { CancelKey } from "../../../../../../src/worker/runtimes/program/prompt/cancel-key.js";

function press(dropsLine: boolean): CancelKey {
  const pressed = new CancelKey();
  pressed.note(1000, dropsLine);
  return pressed;
}

it.each([
  ["a program that is seen to read", true, 300],
  ["one of which that is not known", undefined, 2000],
])("of %s after some quiet", (_what, reading, ms) => {
  expect(press(true).isOver(1000 + ms - 1, 0, reading)).toBe(false);
  expect(press(true).isOver(1000 + ms, 0, reading)).toBe(true);
  expect(press(true).isOver(1000 + ms, 1001, reading)).toBe(false);
});

it("of a program that does something else never", () => {
  expect(press(true).isOver(1e6, 0, false)).toBe(false);
});

it("Ctrl-C drops a line of which nothing is left, and Ctrl-D never does", () => {
  expect(press(true).end(true)).toBe(1000);
  expect(press(true).end(false)).toBeNull();
  expect(press(false).end(true)).toBeNull();
});
