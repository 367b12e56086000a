/** A tool that does not read its input gets every byte in order once it reads; what did not go in is counted. */
import { describe, expect, it } from "vitest";
import { AGENTS, Collector, pattern, start } from "../../../support/tools.js";

/** More input than the kernel takes for a tool that does not read. */
const UNREAD_BYTES = 48 * 1024;

describe("a tool that does not read its input", () => {
  it("gets every byte in order once it reads", async () => {
    const input = pattern(UNREAD_BYTES);
    const terminal = start([process.execPath, `${AGENTS}/reads-late.mjs`, String(UNREAD_BYTES)]);
    const output = new Collector(terminal);
    await output.until(/ready/);
    const written = terminal.write(input);
    expect(terminal.pendingBytes).toBeGreaterThan(0);

    terminal.kill("SIGUSR1");
    expect(await written).toBe(input.length);
    await terminal.exited;
    expect(output.bytes.subarray(output.bytes.indexOf("ready") + 5).equals(input)).toBe(true);
  });

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
