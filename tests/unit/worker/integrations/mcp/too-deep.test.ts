/** Calls of an MCP client that cannot be shown: one that is nested too deeply is refused, one of very many values ends the server. */
import { PassThrough } from "node:stream";
import { expect, it, vi } from "vitest";
import { JSON_VALUES_MAX } from "../../../../../src/model/data/json-cost.js";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { ToolServer } from "../../../../../src/worker/integrations/mcp/tool-server.js";
import { PERMISSION_TOOL } from "../../../../../src/worker/integrations/mcp/tools.js";
import { waitFor } from "../../../../support/wait-for.js";

function createServer() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const [ask, notify, permit] = [vi.fn(), vi.fn(), vi.fn()];
  const server = new ToolServer({
    input,
    output,
    clock: new ManualClock(),
    version: "1",
    handlers: { ask, notify, permit },
  });
  return { server, input, output, permit };
}

it("a call that is nested too deeply to be shown is refused, and the server serves on", async () => {
  const { server, input, output, permit } = createServer();
  let said = "";
  output.on("data", (bytes: Buffer) => (said += bytes.toString()));
  await server.serve();
  const deep = `${'{"a":'.repeat(6000)}1${"}".repeat(6000)}`;
  const args = `{"tool_name":"X","input":${deep}}`;
  input.write(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${PERMISSION_TOOL}","arguments":${args}}}\n`,
  );
  input.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
  await waitFor(() => expect(said).toContain('"id":2'));
  await waitFor(() => expect(said).toContain('"isError":true'));
  expect(said).toContain("nested too deep");
  expect(permit).not.toHaveBeenCalled();
  await server.close();
});

it("a call with more values than are parsed in time ends the connection, before it is parsed", async () => {
  const { server, input, output, permit } = createServer();
  output.resume();
  await server.serve();
  const many = `[${"[],".repeat(JSON_VALUES_MAX)}[]]`;
  const args = `{"tool_name":"X","input":{"a":${many}}}`;
  input.write(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${PERMISSION_TOOL}","arguments":${args}}}\n`,
  );
  await server.closed;
  expect(server.isClosing).toBe(true);
  expect(permit).not.toHaveBeenCalled();
});
