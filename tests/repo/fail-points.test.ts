/** The built program holds no code that can arm a fail point. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

describe("the fail points of the product", () => {
  it("cannot be armed in the built program", () => {
    const built = readdirSync("dist").filter((file) => file.endsWith(".js"));
    expect(built.length).toBeGreaterThan(0);
    const armed = built.filter((file) =>
      /armFailPoints|hook\d* = armed/.test(readFileSync(join("dist", file), "utf8")),
    );
    expect(armed).toEqual([]);
  });
});
