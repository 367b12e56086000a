/** The keys of one read at the keyboard settle a prompt only where its rule says so. */
import { describe, expect, it } from "vitest";
import { hasCommittingKey, splitKeys } from "../../../../src/worker/detection/keys.js";

describe("keys of one read", () => {
  it.each([
    ["1", ["1"]],
    ["\u001b", ["\u001b"]],
    ["\u001b[B\r", ["\u001b[B", "\r"]],
    ["\u001bOB1", ["\u001bOB", "1"]],
    ["\u001b[<0;10;5M", ["\u001b[<0;10;5M"]],
    ["\u001b]7501;?\u001b\\y", ["\u001b]7501;?\u001b\\", "y"]],
    ["\u001b[27u\u001b[13;1u\u001b[49u\u001b[27;1;121~", ["\u001b", "\r", "1", "y"]],
    ["\u001b[13;5u\u001b[27;1:3u", ["\u001b[13;5u", "\u001b[27;1:3u"]],
    ["\u001bOM\u001bOq", ["\r", "1"]],
    ["😀é", ["😀", "é"]],
    ["\u001b[200~1\r\u001b[201~\r", ["\r"]],
    ["\u001b[200~never closed 1\r", []],
    ["", []],
  ])("are told apart in %j", (input, keys) => {
    expect(splitKeys(input)).toEqual(keys);
  });

  it("settle a prompt only where it says so", () => {
    const keys = ["\r", "\u001b", "1", "2"];
    expect(hasCommittingKey(Buffer.from("1"), keys)).toBe(true);
    expect(hasCommittingKey(Buffer.from("\u001b"), keys)).toBe(true);
    expect(hasCommittingKey(Buffer.from("\u001b[A"), keys)).toBe(false);
    expect(hasCommittingKey(Buffer.from("\u001b[I"), keys)).toBe(false);
    expect(hasCommittingKey(Buffer.from("\u001b[200~1\u001b[201~"), keys)).toBe(false);
  });
});
