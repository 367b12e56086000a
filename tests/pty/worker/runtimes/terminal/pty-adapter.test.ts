/** The output and the end of a tool from before its adapter was attached reach the reader of the adapter. */
import { expect, it } from "vitest";
import { loadAdapter } from "../../../../../src/plugins/adapters/adapters.js";
import { openTool } from "../../../../../src/worker/runtimes/terminal/open-tool.js";
import { PtyAdapter } from "../../../../../src/worker/runtimes/terminal/pty-adapter.js";
import { ptyOptions } from "../../../../support/pty-options.js";

it("the output and the end of a tool from before its adapter was attached reach the reader", async () => {
  const settings = ptyOptions(await loadAdapter("generic", { adaptersDir: "none" }));
  const terminal = openTool(settings, ["sh", "-c", "echo early; exit 3"]);
  await terminal.exited;
  const adapter = new PtyAdapter(settings);
  adapter.attach(terminal);
  const chunks: Uint8Array[] = [];
  for await (const chunk of adapter.readStream()) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe("early\r\n");
  expect((await adapter.session.exited).exitCode).toBe(3);
});
