/** The newer of two versions is found by the rules of semantic versioning. */
import { describe, expect, it } from "vitest";
import { isNewer } from "../../../../src/model/data/version.js";

/** Oldest first. */
const ORDER = [
  "0.1.0-alpha",
  "0.1.0-alpha.1",
  "0.1.0-alpha.2",
  "0.1.0-alpha.10",
  "0.1.0-alpha.beta",
  "0.1.0-beta",
  "0.1.0",
  "0.1.1",
  "0.2.0",
  "0.10.0",
  "1.0.0",
];

describe("the newer of two versions", () => {
  it("follows semantic versioning, each with each", () => {
    for (const [at, version] of ORDER.entries())
      for (const [than, other] of ORDER.entries())
        expect(isNewer(version, other), `${version} > ${other}`).toBe(at > than);
  });

  it("does not look at the build", () => {
    expect(isNewer("1.0.0+2", "1.0.0+1")).toBe(false);
    expect(isNewer("1.0.1+1", "v1.0.0+2")).toBe(true);
  });

  it("is undefined where one of them is no version", () => {
    for (const nonsense of ["", "1", "1.0", "one", "1.0.0 ", "1.0.0-", "-1.0.0", "1.0.0-ä"]) {
      expect(isNewer(nonsense, "0.0.1"), nonsense).toBe(false);
      expect(isNewer("9.9.9", nonsense), nonsense).toBe(false);
    }
  });
});
