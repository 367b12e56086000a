/** JSON lines are read however they arrive, and a line that never ends is not kept. */
import { expect, it } from "vitest";
import { readJsonLines } from "../../../../src/sdk/service/json-lines.js";

async function* streamOf(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(Buffer.from(part as string));
}

async function readAll(stream: AsyncIterable<Uint8Array>, charactersMax = 100): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of readJsonLines(stream, charactersMax)) values.push(value);
  return values;
}

it("joins what is cut inside a line or a character, and gives null for what is no JSON", async () => {
  const [first, second] = [Buffer.from('{"a":"é'), Buffer.from('"}\n7\n{\n\n"rest"')];
  const parts = [first.subarray(0, -1), first.subarray(-1), second];
  expect(await readAll(streamOf(...parts))).toEqual([{ a: "é" }, 7, null, null]);
});

it("refuses a line that is too long before it ends", async () => {
  await expect(readAll(streamOf('"xxx', "xxxx", "xxxx"), 10)).rejects.toThrow(
    "a line is longer than 10 characters",
  );
});
