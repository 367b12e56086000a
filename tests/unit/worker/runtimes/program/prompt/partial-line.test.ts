/** What a person has begun to type for a running command keeps inputs from outside away until it is sent or erased. */
import { describe, expect, it } from "vitest";
import { PartialLine } from "../../../../../../src/worker/runtimes/program/prompt/partial-line.js";

function typed(...pieces: string[]): { readonly edited: boolean; readonly raw: boolean } {
  const line = new PartialLine();
  for (const piece of pieces) line.onTyped(Buffer.from(piece));
  expect(line.stands(undefined)).toBe(line.stands(false));
  return { edited: line.stands(true), raw: line.stands(false) };
}

describe("a line that a person has begun", () => {
  it("stands until Enter, wherever the keys were split", () => {
    expect(typed()).toEqual({ edited: false, raw: false });
    expect(typed("delete every")).toEqual({ edited: true, raw: true });
    expect(typed("delete", " it\r")).toEqual({ edited: false, raw: false });
    expect(typed("one\ntwo")).toEqual({ edited: true, raw: true });
  });

  it("is erased by Ctrl-U and Ctrl-C only where the kernel edits it", () => {
    for (const key of ["\x15", "\x03"]) {
      expect(typed(`half${key}`)).toEqual({ edited: false, raw: true });
      expect(typed(`half${key}more`)).toEqual({ edited: true, raw: true });
    }
  });

  it("is neither begun nor ended by Ctrl-D and the like", () => {
    for (const key of ["\x03", "\x04", "\x15", "\x1a", "\x1c"])
      expect(typed(key)).toEqual({ edited: false, raw: false });
    expect(typed("half\x04")).toEqual({ edited: true, raw: true });
    expect(typed("half\x15\x04")).toEqual({ edited: false, raw: true });
  });

  it("is gone at the program's next line", () => {
    const line = new PartialLine();
    line.onTyped(Buffer.from("half"));
    line.clear();
    expect(line.stands(true) || line.stands(false)).toBe(false);
  });
});
