/**
 * A tool that does not read its input costs us almost no processor time, and later gets every byte in order. This suite has a
 * file of its own, as it measures the processor time of its process.
 */
import { describe, expect, it } from "vitest";
import { AGENTS, Collector, pattern, start } from "../../../support/tools.js";

/** More input than the kernel takes for a tool that does not read. */
const UNREAD_BYTES = 48 * 1024;

describe("a tool that does not read its input", () => {
  it(
    "costs us almost no processor time, and gets every byte in order once it reads",
    { timeout: 20_000 },
    async () => {
      const input = pattern(UNREAD_BYTES);
      const terminal = start([process.execPath, `${AGENTS}/reads-late.mjs`, String(UNREAD_BYTES)]);
      const output = new Collector(terminal);
      await output.until(/ready/);
      const written = terminal.write(input);
      expect(terminal.pendingBytes).toBeGreaterThan(0);

      const before = process.cpuUsage();
      const waitMs = 1000;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      const { user, system } = process.cpuUsage(before);
      const share = (user + system) / 1000 / waitMs;
      if (process.env["ATLASBRIDGE_FULL_EDGE"] === "1")
        console.log(`a tool that does not read: ${(share * 100).toFixed(1)} % of one core`);
      expect(share).toBeLessThan(0.2);
      expect(terminal.pendingBytes).toBeGreaterThan(0);

      terminal.kill("SIGUSR1");
      expect(await written).toBe(input.length);
      await terminal.exited;
      expect(output.bytes.subarray(output.bytes.indexOf("ready") + 5).equals(input)).toBe(true);
    },
  );

  it("leaves a count of what went in when it ends", async () => {
    const terminal = start(["sh", "-c", "stty raw -echo; printf ready; exec sleep 30"]);
    await new Collector(terminal).until(/ready/);
    const written = terminal.write(new Uint8Array(UNREAD_BYTES));
    const atOnce = UNREAD_BYTES - terminal.pendingBytes;
    terminal.kill("SIGKILL");
    const wentIn = await written;
    expect(wentIn).toBeGreaterThanOrEqual(atOnce);
    expect(wentIn).toBeGreaterThan(0);
    expect(wentIn).toBeLessThan(UNREAD_BYTES);
    expect(await terminal.write(Buffer.from("y"))).toBe(0);
  });
});
