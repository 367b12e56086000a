import { expect, it } from "vitest";
import { loadAdapter } from "../../../src/app/adapters.js";
import { asId, type SessionId } from "../../../src/model/ids.js";
import { systemClock } from "../../../src/observe/clock.js";
import { systemRandom } from "../../../src/observe/random.js";
import { openTool } from "../../../src/worker/runtime/pty/open-tool.js";
import { PtyAdapter } from "../../../src/worker/runtime/pty/pty-adapter.js";

it("what a tool said, and that it ended, before the adapter was there reaches whoever reads", async () => {
  const settings = {
    adapter: await loadAdapter("generic", { adaptersDir: "none" }),
    sessionId: asId<SessionId>("s1"),
    cwd: process.cwd(),
    size: { cols: 80, rows: 24 },
    environment: process.env,
    clock: systemClock,
  };
  const terminal = openTool(settings, ["sh", "-c", "echo early; exit 3"]);
  await terminal.exited;
  const adapter = new PtyAdapter({
    ...settings,
    random: systemRandom,
    redact: (text) => text,
    hostAnswers: false,
    stuckTimeoutMs: 2000,
  });
  adapter.attach(terminal);
  const chunks: Uint8Array[] = [];
  for await (const chunk of adapter.readStream()) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe("early\r\n");
  expect((await adapter.exited).exitCode).toBe(3);
});
