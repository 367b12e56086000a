/** A call of an MCP client that is nested too deeply to be shown is refused, and the server serves on. */
import { PassThrough } from "node:stream";
import { expect, it, vi } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { ToolServer } from "../../../../../src/worker/integrations/mcp/tool-server.js";
import { PERMISSION_TOOL } from "../../../../../src/worker/integrations/mcp/tools.js";

it("a call that is nested too deeply to be shown is refused, and the server serves on", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const [ask, tell, permit] = [vi.fn(), vi.fn(), vi.fn()];
  const server = new ToolServer({
    input,
    output,
    clock: new ManualClock(),
    version: "1",
    handlers: { ask, tell, permit },
  });
  let said = "";
  output.on("data", (bytes: Buffer) => (said += bytes.toString()));
  await server.serve();
  const deep = `${'{"a":'.repeat(6000)}1${"}".repeat(6000)}`;
  const args = `{"tool_name":"X","input":${deep}}`;
  input.write(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${PERMISSION_TOOL}","arguments":${args}}}\n`,
  );
  input.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
  await vi.waitFor(() => expect(said).toContain('"id":2'));
  await vi.waitFor(() => expect(said).toContain('"isError":true'));
  expect(said).toContain("nested too deep");
  expect(permit).not.toHaveBeenCalled();
  await server.close();
});
