/**
 * Marks are found however their bytes are cut, with both endings, and only with the session's nonce. Everything else stays output, byte
 * for byte.
 */
import { describe, expect, it } from "vitest";
import {
  MarkParser,
  readProperty,
  type Piece,
} from "../../../../../../src/worker/runtimes/program/prompt/mark-parser.js";

/** Ends a sequence that is not complete, so that no output is held back. */
const CANCEL = "\x18";
const NONCE = "s3cret";
const STREAM = `before\x1b]633;A;${NONCE}\x07$ \x1b]633;B;${NONCE}\x1b\\ls\r\n\x1b]633;C;${NONCE}\x07\x1b[31mred\x1b[0m\x1b]0;title\x07\r\n\x1b]633;D;7;${NONCE}\x07\x1b]633;P;Cwd=/a\\x3bb;${NONCE}\x07`;

function parse(chunks: readonly string[], nonce: string | null = NONCE): { text: string; marks: string[] } {
  const parser = new MarkParser({ markers: null, nonce });
  const pieces: Piece[] = [...chunks, CANCEL].flatMap((chunk) => parser.push(Buffer.from(chunk)));
  const text = pieces
    .map((piece) => (piece.kind === "output" ? Buffer.from(piece.bytes).toString("latin1") : ""))
    .join("")
    .slice(0, -CANCEL.length);
  const marks = pieces.flatMap((piece) =>
    piece.kind === "mark" ? [[piece.mark.kind, ...piece.mark.values].join(" ")] : [],
  );
  return { text, marks };
}

describe("marks", () => {
  const whole = parse([STREAM]);

  it("are taken out of the output in their order", () => {
    expect(whole.marks).toEqual(["prompt", "input", "executed", "finished 7", "property Cwd=/a\\x3bb"]);
    expect(whole.text).toBe("before$ ls\r\n\x1b[31mred\x1b[0m\x1b]0;title\x07\r\n");
  });

  it("are the same however the bytes are cut", () => {
    for (let at = 1; at < STREAM.length; at++)
      expect(parse([STREAM.slice(0, at), STREAM.slice(at)])).toEqual(whole);
    expect(parse([...STREAM])).toEqual(whole);
  });

  it("without the nonce, or with another one, are output", () => {
    const forged = "\x1b]633;D;0\x07\x1b]633;A;other\x07\x1b]633;C;s3cretx\x07";
    expect(parse([forged])).toEqual({ text: forged, marks: [] });
    expect(parse([...forged])).toEqual({ text: forged, marks: [] });
  });

  it("are believed without a nonce where the script knows none", () => {
    expect(parse(["\x1b]633;D;1\x07"], null).marks).toEqual(["finished 1"]);
  });

  it.each([
    ["an end that never comes", "\x1b]633;A;s3cret and then text"],
    ["another sequence in the middle", "\x1b]633;A\x1b[0mtext\x07"],
    ["a cancelled one", "\x1b]633;A;s3cret\x18text"],
    ["a lonely escape at the end", "text\x1b"],
    ["an unknown letter", "\x1b]633;Z;s3cret\x07"],
    ["bytes that are no text", "\xff\xfe\x1b]633;\xff;s3cret\x07\x00"],
  ])("are not found in %s, of which no byte is lost", (_what, text) => {
    expect(parse([text]).marks).toEqual([]);
    expect(parse([text]).text).toBe(Buffer.from(text).toString("latin1"));
    expect(parse([...text]).text).toBe(Buffer.from(text).toString("latin1"));
  });

  it("an endless sequence is given out once it is too long for a mark", () => {
    const parser = new MarkParser({ markers: null, nonce: NONCE });
    const pieces = parser.push(Buffer.from(`\x1b]633;A;${"x".repeat(40_000)}`));
    expect(pieces).toHaveLength(1);
  });

  it("are those that the file names", () => {
    const markers = {
      prompt_start: "\x1b]133;A\x07",
      command_input_start: "\x1b]133;B\x07",
      command_executed: "\x1b]133;C\x07",
      command_finished: "\x1b]133;D\x07",
      property_update: "\x1b]133;P\x07",
    };
    const parser = new MarkParser({ markers, nonce: null });
    expect(parser.push(Buffer.from("\x1b]133;D;3\x07"))).toEqual([
      { kind: "mark", mark: { kind: "finished", values: ["3"] } },
    ]);
    expect(parser.push(Buffer.from("\x1b]633;D;3\x07"))[0]?.kind).toBe("output");
  });

  it("a property's value is unescaped, and may hold what separates values", () => {
    expect(readProperty({ kind: "property", values: ["Cwd=/a\\x3bb\\\\c"] }, "Cwd")).toBe("/a;b\\c");
    expect(readProperty({ kind: "property", values: ["Cwd=/a", "b"] }, "Cwd")).toBe("/a;b");
    expect(readProperty({ kind: "property", values: ["Other=/a"] }, "Cwd")).toBeNull();
  });
});
