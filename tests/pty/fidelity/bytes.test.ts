/**
 * A run changes no byte between the user's terminal and the tool, in either direction, and reports each new size. It is measured
 * at both ends of one run.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Puppet } from "./support/puppet.js";
import { INPUT, noise, OUTPUT } from "./support/sequences.js";
import { RUN_ARGUMENTS } from "./support/shell-window.js";

/** One process each for all cases: a start costs more than all of them. */
let puppet: Puppet;
beforeAll(async () => void (puppet = await Puppet.start(RUN_ARGUMENTS)));
afterAll(() => puppet.close());

describe("what a tool writes comes out as it is", () => {
  it.each(Object.keys(OUTPUT))("%s", async (name) => {
    const bytes = OUTPUT[name]!;
    expect((await puppet.say(bytes)).equals(bytes)).toBe(true);
  });

  it("also a few bytes at a time", async () => {
    const bytes = Buffer.concat(Object.values(OUTPUT).map((each) => each.subarray(0, 200)));
    expect((await puppet.say(bytes, 3)).equals(bytes)).toBe(true);
  });

  it("and only the user's terminal answers its queries", async () => {
    const before = puppet.heard.length;
    await puppet.say(OUTPUT["questions to the terminal"]!);
    await puppet.say(OUTPUT["questions for colours"]!);
    expect((await puppet.hear(Buffer.from("?"))).toString()).toBe("?");
    expect(puppet.heard.length).toBeGreaterThan(before);
  });
});

describe("what is typed reaches the tool as it is", () => {
  it.each(Object.keys(INPUT))("%s", async (name) => {
    const bytes = INPUT[name]!;
    expect((await puppet.hear(bytes)).equals(bytes)).toBe(true);
  });

  it("also a byte at a time", async () => {
    const bytes = Buffer.concat(Object.values(INPUT).map((each) => each.subarray(0, 60)));
    expect((await puppet.hear(bytes, 1)).equals(bytes)).toBe(true);
  });

  it("while the tool floods the terminal", async () => {
    const [output, input] = [noise(2 * 1024 * 1024, 3), noise(64 * 1024, 5)];
    const [out, heard] = await Promise.all([puppet.say(output, 64 * 1024), puppet.hear(input, 997)]);
    expect(out.equals(output)).toBe(true);
    expect(heard.equals(input)).toBe(true);
  });
});

describe("a new size of the user's terminal", () => {
  it("reaches the tool, also the last of many quick ones, and the output stays whole", async () => {
    const bytes = noise(256 * 1024, 9);
    const out = puppet.say(bytes, 16 * 1024);
    for (let cols = 40; cols < 140; cols++) puppet.outer.resize({ cols, rows: 1 + (cols % 50) });
    puppet.outer.resize({ cols: 133, rows: 44 });
    expect((await out).equals(bytes)).toBe(true);
    await puppet.sized(133, 44);
  });
});

describe("a run inside a run", () => {
  it("changes no byte, and finds the outer run by one mark", async () => {
    const nested = await Puppet.start([...RUN_ARGUMENTS, ...RUN_ARGUMENTS]);
    try {
      const output = Buffer.concat(Object.values(OUTPUT));
      const input = Buffer.concat(Object.values(INPUT).map((each) => each.subarray(0, 300)));
      expect((await nested.say(output)).equals(output)).toBe(true);
      expect((await nested.hear(input)).equals(input)).toBe(true);
      const ours = Object.keys(nested.env).filter((name) => /^atlasbridge/i.test(name));
      expect(ours).toEqual(["ATLASBRIDGE_SESSION"]);
    } finally {
      await nested.close();
    }
  });
});
