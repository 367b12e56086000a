/** The tool's output goes to its one reader in order, at once while the reader keeps up, and the tool is paused while it does not. */
import { describe, expect, it } from "vitest";
import { OutputStream } from "../../../../src/worker/runtimes/output-stream.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const bytes = (text: string) => Buffer.from(text);

/** A reader that is busy whenever it is told to be. */
function setup() {
  const log: string[] = [];
  const stream = new OutputStream((full) => log.push(full ? "full" : "room"));
  const reader = { isBusy: false, letGo: (): void => undefined };
  const take = (chunk: Uint8Array): Promise<void> | null => {
    log.push(chunk.length > 8 ? `${chunk.length} bytes` : Buffer.from(chunk).toString());
    return reader.isBusy ? new Promise((resolve) => (reader.letGo = resolve)) : null;
  };
  return { log, stream, reader, take };
}

describe("the output stream", () => {
  it("passes a chunk on before push returns", () => {
    const { log, stream, take } = setup();
    stream.push(bytes("unread"));
    void stream.pass(take);
    stream.push(bytes("a"));
    expect(log).toEqual(["a"]);
  });

  it("keeps what comes while its reader is busy, in order, and ends behind it", async () => {
    const { log, stream, reader, take } = setup();
    const ended = stream.pass(take).then(() => log.push("ended"));
    reader.isBusy = true;
    for (const text of ["a", "b", "c"]) stream.push(bytes(text));
    stream.end();
    await turn();
    expect(log).toEqual(["a"]);
    reader.letGo();
    await turn();
    expect(log).toEqual(["a", "b"]);
    reader.isBusy = false;
    reader.letGo();
    await ended;
    expect(log).toEqual(["a", "b", "c", "ended"]);
  });

  it("reports that a chunk beside the one that is being read is too much, and when there is room again", async () => {
    const { log, stream, reader, take } = setup();
    void stream.pass(take);
    reader.isBusy = true;
    stream.push(bytes("a"));
    stream.push(Buffer.alloc(16 * 1024));
    expect(log).toEqual(["a", "full"]);
    reader.isBusy = false;
    reader.letGo();
    await turn();
    expect(log).toEqual(["a", "full", "room", "16384 bytes"]);
  });

  it("fails with its reader", async () => {
    const { stream } = setup();
    const passed = stream.pass(() => Promise.reject(new Error("no terminal")));
    stream.push(bytes("a"));
    await expect(passed).rejects.toThrow("no terminal");
  });

  it("gives one chunk after the other to who iterates, until the end", async () => {
    const { log, stream } = setup();
    const reading = (async () => {
      for await (const chunk of stream.read()) log.push(Buffer.from(chunk).toString());
    })();
    stream.push(bytes("a"));
    stream.push(bytes("b"));
    stream.end();
    await reading;
    expect(log).toEqual(["a", "b"]);
  });
});
