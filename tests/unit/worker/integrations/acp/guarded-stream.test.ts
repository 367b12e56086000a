/** The pipes of an agent, wrapped for the SDK: what is said to an agent that ends. */
import { text } from "node:stream/consumers";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createGuardedStream } from "../../../../../src/worker/integrations/acp/guarded-stream.js";

/** What an agent hears that says this and ends. */
async function heardAfter(said: string): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ignore = (): void => undefined;
  const { readable } = createGuardedStream({
    ...{ input, output, onMessage: ignore, onNotification: ignore, onSameId: ignore },
  });
  output.end(said);
  for await (const message of readable) expect(message).toBeDefined();
  input.end();
  return text(input);
}

describe("an agent that ends", () => {
  it("inside a line is told nothing of that line", async () => {
    expect(await heardAfter('{"jsonrpc":"2.0","method":"session/up')).toBe("");
  });

  it("after a line that is no JSON is told so", async () => {
    expect(await heardAfter("Segmentation fault\n")).toContain("Parse error");
  });
});
