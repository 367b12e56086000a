/** A soak says what grew, and nothing of what only swung. */
import { describe, expect, it } from "vitest";
import { findGrowth, type Sample } from "../../../../bench/soak/samples.js";

function sample(at: number, change: Partial<Sample> = {}): Sample {
  return {
    at,
    hubMegabytes: 60,
    hubDescriptors: 30,
    hubThreads: 11,
    workerMegabytes: 57,
    workerDescriptors: 26,
    workerThreads: 11,
    ledgerKilobytes: 400 + at,
    prompts: at,
    ...change,
  };
}

/** A hundred samples, one every five seconds. */
function soak(change: (at: number) => Partial<Sample>): readonly Sample[] {
  return Array.from({ length: 100 }, (_, index) => sample(index * 5, change(index * 5)));
}

describe("a soak", () => {
  it("is flat where nothing grows but the ledger by its prompts, while the hub is away now and then", () => {
    expect(findGrowth(soak((at) => (at % 50 === 0 ? { hubMegabytes: NaN, hubThreads: NaN } : {})))).toEqual(
      [],
    );
  });

  it("is flat where memory only warms up in the first quarter", () => {
    expect(findGrowth(soak((at) => ({ workerMegabytes: Math.min(57, 40 + at / 5) })))).toEqual([]);
  });

  it.each([
    ["hubMegabytes", (at: number) => 60 + at / 10],
    ["workerMegabytes", (at: number) => 57 + at / 10],
    ["hubDescriptors", (at: number) => 30 + at / 50],
    ["workerDescriptors", (at: number) => 26 + at / 50],
    ["hubThreads", (at: number) => 11 + at / 100],
    ["ledgerKilobytes", (at: number) => 400 + at * 100],
  ] as const)("names %s where it grows", (figure, grow) => {
    const found = findGrowth(soak((at) => ({ [figure]: grow(at) })));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${figure}: `));
  });
});
