/** No fail point can be armed in what is built. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

describe("the fail points of the product", () => {
  it("are armed by nothing: what is built holds no way to", () => {
    const built = readdirSync("dist").filter((file) => file.endsWith(".js"));
    expect(built.length).toBeGreaterThan(0);
    const armed = built.filter((file) =>
      /armFailPoints|hook\d* = armed/.test(readFileSync(join("dist", file), "utf8")),
    );
    expect(armed).toEqual([]);
  });
});
