import { describe, expect, it } from "vitest";
import { Strangers } from "../../../src/hub/delivery/strangers.js";
import { asId, type Identity } from "../../../src/model/ids.js";

const who = (n: number) => asId<Identity>(`chat:${n}`);

describe("strangers", () => {
  it("are told apart, and the latest thousand are remembered", () => {
    const strangers = new Strangers();
    for (let n = 0; n < 3; n += 1) expect(strangers.mayHear(who(0), 0)).toBe(true);
    for (let n = 1; n < 1000; n += 1) expect(strangers.mayHear(who(n), 1)).toBe(true);
    expect(strangers.mayHear(who(0), 2)).toBe(false);
    for (let n = 1000; n < 2000; n += 1) strangers.mayHear(who(n), 3);
    expect(strangers.mayHear(who(0), 4)).toBe(true);
  });

  it("are not silenced by a clock that was set back", () => {
    const strangers = new Strangers();
    for (let n = 0; n < 3; n += 1) strangers.mayHear(who(1), 1_000_000);
    expect(strangers.mayHear(who(1), 1_000_001)).toBe(false);
    expect(strangers.mayHear(who(1), 0)).toBe(true);
  });
});
