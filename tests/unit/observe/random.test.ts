/** Random names have the form that others expect of them. */
import { expect, it } from "vitest";
import { systemRandom } from "../../../src/observe/random.js";

it("a UUID is of version 4, and no two are the same", () => {
  const all = Array.from({ length: 1000 }, () => systemRandom.uuid());
  const wrong = all.filter(
    (each) => !/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(each),
  );
  expect(wrong).toEqual([]);
  expect(new Set(all).size).toBe(all.length);
});
