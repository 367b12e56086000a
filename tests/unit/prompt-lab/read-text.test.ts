/** A mistake in JSON is reported with its line and column. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../../prompt-lab/scenario/read-text.js";

const PLACE = "x.json";

describe("the place of a mistake in JSON", () => {
  it.each([
    ["aaaa", "column 1"],
    ['{"a": oops}', "column 7"],
    ['{"a": 1,\n  "b": [1, 2,]}', "line 2, column 14"],
    ['{"a": "open', "column 12"],
    ['{"a": 1}}', "column 9"],
    ["[1, tru]", "column 8"],
    ['{\n"a": 1\n"b": 2}', "line 3, column 1"],
  ])("is reported for %j", (source, place) => {
    expect(() => parseJson(source, PLACE)).toThrow(`x.json: is not JSON at ${place}`);
  });

  it("lies behind what could have gone on, for any text that is cut and spoilt", () => {
    const cut = fc.tuple(fc.json(), fc.nat(), fc.constantFrom("\u0001", "}", "]", "x", ",", ":"));
    fc.assert(
      fc.property(cut, ([json, at, spoilt]) => {
        const source = json.slice(0, at % (json.length + 1)) + spoilt;
        try {
          parseJson(source, PLACE);
        } catch (error) {
          const [, line = "1", column] =
            /is not JSON at (?:line (\d+), )?column (\d+)/.exec(String(error)) ?? [];
          const before = source.split("\n").slice(0, Number(line) - 1);
          const place = before.join("\n").length + (before.length > 0 ? 1 : 0) + Number(column) - 1;
          expect(place).toBeGreaterThanOrEqual(source.length - 1);
          expect(place).toBeLessThanOrEqual(source.length);
        }
      }),
    );
  });
});
