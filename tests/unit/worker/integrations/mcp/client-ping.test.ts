/** A client that answers a ping has read all that was sent before it, also if it knows no ping; one that is gone has not. */
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { ToolServer } from "../../../../../src/worker/integrations/mcp/tool-server.js";
import { systemClock } from "../../../../../src/observe/clock.js";

/** A client that meets each request with this; null: it closes its end. */
async function pinged(answer: object | null): Promise<void> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const unused = (): never => {
    throw new Error("nothing is called");
  };
  const handlers = { ask: unused, permit: unused, notify: unused };
  const server = new ToolServer({ input, output, version: "1", clock: systemClock, handlers });
  await server.serve();
  output.on("data", (line: Buffer) => {
    const { id } = JSON.parse(line.toString()) as { readonly id: number };
    if (answer === null) input.end();
    else input.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
  });
  try {
    await server.ping();
  } finally {
    await server.close();
  }
}

it.each([
  ["a result", { result: {} }],
  ["an error", { error: { code: -32601, message: "Method not found" } }],
])("%s proves that it was read", async (_, answer) => {
  await expect(pinged(answer)).resolves.toBeUndefined();
});

it("the end of the connection proves nothing", async () => {
  await expect(pinged(null)).rejects.toThrow("Connection closed");
});
