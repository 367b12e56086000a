/** Lines of JSON are the same however they are cut, and those that are too long or nested too deeply are dropped. */
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JSON_VALUES_MAX } from "../../../../../src/model/data/json-cost.js";
import { JSON_LEVELS_MAX } from "../../../../../src/model/data/nesting.js";
import { JsonLines } from "../../../../../src/worker/runtimes/exec/json-lines.js";
import { LINE_BYTES_MAX } from "../../../../../src/worker/process/line-reader.js";

/** What is read of these pieces. */
async function read(
  pieces: readonly Uint8Array[],
): Promise<{ messages: unknown[]; texts: string[]; tooLong: number; tooDeep: unknown[] }> {
  const output = new PassThrough();
  const got = { messages: [] as unknown[], texts: [] as string[], tooLong: 0, tooDeep: [] as unknown[] };
  new JsonLines({
    input: new PassThrough(),
    output,
    onMessage: (message) => got.messages.push(message),
    onText: (line) => got.texts.push(line),
    onTooLong: () => (got.tooLong += 1),
    onTooDeep: ({ id }) => got.tooDeep.push(id),
  });
  for (const piece of pieces) output.write(piece);
  output.end();
  await new Promise((resolve) => output.once("end", resolve));
  return got;
}

describe("lines of JSON", () => {
  it("are the same however they are cut", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string(), fc.string()), { maxLength: 6 }),
        fc.array(fc.nat(40), { maxLength: 20 }),
        async (messages, cuts) => {
          const whole = Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
          const pieces: Uint8Array[] = [];
          let from = 0;
          for (const cut of cuts) {
            pieces.push(whole.subarray(from, from + cut));
            from += cut;
          }
          const got = await read([...pieces, whole.subarray(from)]);
          expect(got.messages).toEqual(JSON.parse(JSON.stringify(messages)));
        },
      ),
      { numRuns: 60 },
    ));

  it("are found among other lines, and need no line end", async () => {
    const got = await read([Buffer.from('warning: old\n{"a":1}\r\n[1]\n{broken\n\n{"b":2}')]);
    expect(got).toEqual({
      messages: [{ a: 1 }, { b: 2 }],
      texts: ["warning: old", "[1]", "{broken"],
      tooLong: 0,
      tooDeep: [],
    });
  });

  it("are marked where they are nested too deeply for people to judge", async () => {
    const nested = (id: number, levels: number) =>
      `{"id":${id},"in":${"[".repeat(levels - 1)}1${"]".repeat(levels - 1)}}\n`;
    const lines = [
      nested(1, JSON_LEVELS_MAX),
      nested(2, JSON_LEVELS_MAX + 1),
      nested(3, 200_000),
      '{"id":4}\n',
    ];
    const got = await read([Buffer.from(lines.join(""))]);
    expect(got.messages).toMatchObject([{ id: 1 }, { id: 4 }]);
    expect(got.tooDeep).toEqual([2, 3]);
  });

  it("are dropped where they hold more values than are parsed in time, and the next lines are read", async () => {
    const costly = `{"id":1,"in":[${"[],".repeat(JSON_VALUES_MAX)}[]]}\n`;
    const got = await read([Buffer.from(costly), Buffer.from('{"a":1}\n')]);
    expect(got).toEqual({ messages: [{ a: 1 }], texts: [], tooLong: 1, tooDeep: [] });
  });

  it("are dropped where they are too long, and the next lines are read", async () => {
    const piece = Buffer.alloc(LINE_BYTES_MAX / 4, "x");
    const got = await read([piece, piece, piece, piece, piece, Buffer.from('\n{"a":1}\n')]);
    expect(got).toEqual({ messages: [{ a: 1 }], texts: [], tooLong: 1, tooDeep: [] });
  });
});
