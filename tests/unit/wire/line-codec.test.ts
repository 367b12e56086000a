/** The line decoder gives whole lines however their bytes arrive, loses only an invalid line, and gives up at a line over the limit. */
import { describe, expect, it } from "vitest";
import { encodeLine, LineDecoder } from "../../../src/wire/line-codec.js";

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe("line decoder", () => {
  it("gives a line only once its line feed has come", () => {
    const decoder = new LineDecoder();
    expect(decoder.push(bytes('{"a":'))).toEqual([]);
    expect(decoder.push(bytes('1}\n{"b"'))).toEqual([{ kind: "line", text: '{"a":1}' }]);
    expect(decoder.push(bytes(":2}\n"))).toEqual([{ kind: "line", text: '{"b":2}' }]);
  });

  it("joins a character whose bytes came in different chunks", () => {
    const decoder = new LineDecoder();
    const line = bytes('"äß€😀"\n');
    const seen = [...line].flatMap((byte) => decoder.push(Uint8Array.of(byte)));
    expect(seen).toEqual([{ kind: "line", text: '"äß€😀"' }]);
  });

  it("loses only the one line that is not UTF-8", () => {
    const decoder = new LineDecoder();
    const seen = decoder.push(Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), bytes("{}\n")]));
    expect(seen).toEqual([{ kind: "not_utf8" }, { kind: "line", text: "{}" }]);
  });

  it("skips empty lines", () => {
    expect(new LineDecoder().push(bytes("\n\n{}\n\n"))).toEqual([{ kind: "line", text: "{}" }]);
  });

  it("takes a line of exactly the limit and gives up for good at one byte more", () => {
    const decoder = new LineDecoder(() => 4);
    expect(decoder.push(bytes("1234\n"))).toEqual([{ kind: "line", text: "1234" }]);
    expect(decoder.push(bytes("12345"))).toEqual([{ kind: "too_long" }]);
    expect(decoder.push(bytes("\n{}\n"))).toEqual([]);
  });

  it("does not count the bytes of earlier lines against the limit", () => {
    const decoder = new LineDecoder(() => 4);
    for (let round = 0; round < 10; round += 1)
      expect(decoder.push(bytes("123\n"))).toEqual([{ kind: "line", text: "123" }]);
  });
});

describe("encoded line", () => {
  it("holds no line feed but its last, whatever the texts hold", () => {
    const line = encodeLine({ text: "two\nlines\u2028and\rmore" });
    expect(line.indexOf("\n")).toBe(line.length - 1);
  });
});
