/**
 * A tool in a pseudo-terminal has the given size, name, directory and environment, gets signals, and reports its exit code or
 * signal. Its output waits while nobody reads.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import { createChildEnvironment } from "../../../../src/worker/process/child-environment.js";
import { HANG_MS } from "../../../support/hang-guards.js";
import { Collector, environment, start } from "../../support/tools.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pty-")));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a tool in its terminal", () => {
  it("ends with its exit code", async () => {
    expect(await start(["sh", "-c", "exit 3"]).exited).toEqual({
      exitCode: 3,
      signal: null,
      signalName: null,
    });
  });

  it("ends with its signal, by number and name", async () => {
    const terminal = start(["sh", "-c", "kill -TERM $$"]);
    expect(await terminal.exited).toEqual({ exitCode: null, signal: 15, signalName: "SIGTERM" });
    expect(terminal.alive).toBe(false);
  });

  it("sees a terminal of the given size, its own name and directory, and only the given environment", async () => {
    const script = 'stty size; echo "$0"; pwd; env; [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo all-tty';
    const env = createChildEnvironment(
      { PATH: process.env["PATH"], ATLASBRIDGE_TOKEN: "secret", TMUX: "kept" },
      asId<SessionId>("s1"),
    );
    const terminal = start(["sh", "-c", script], { size: { cols: 132, rows: 43 }, cwd: folder, env });
    const output = new Collector(terminal);
    await terminal.exited;
    const lines = output.text.split("\r\n");
    expect(lines.slice(0, 3)).toEqual(["43 132", "sh", folder]);
    expect(lines).toContain("all-tty");
    expect(lines).toContain("ATLASBRIDGE_SESSION=s1");
    expect(lines).toContain("TMUX=kept");
    expect(output.text).not.toContain("secret");
  });

  it("is open and read while it lives, and neither afterwards", async () => {
    const terminal = start(["sh", "-c", "read a"]);
    expect(terminal.checkHealth()).toMatchObject({ isOpen: true, isRead: false });
    terminal.onData(() => undefined);
    expect(terminal.checkHealth()).toEqual({ isOpen: true, isRead: true, inputWaitsMs: 0 });
    void terminal.write(Buffer.from("x\n"));
    await terminal.exited;
    expect(terminal.checkHealth()).toMatchObject({ isOpen: false, isRead: false });
  });

  it("tells for how long it has not taken what waits for it", async () => {
    const terminal = start(["sh", "-c", "stty raw -echo; echo raw; sleep 600"]);
    await new Collector(terminal).until(/raw/);
    void terminal.write(Buffer.alloc(256 * 1024, "x"));
    await expect.poll(() => terminal.checkHealth().inputWaitsMs).toBeGreaterThan(200);
    terminal.kill("SIGKILL");
    await terminal.exited;
  });

  it("learns of another size", async () => {
    const terminal = start([
      "sh",
      "-c",
      "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done",
    ]);
    const output = new Collector(terminal);
    await output.until(/ready/);
    terminal.resize({ cols: 100, rows: 30 });
    await terminal.exited;
    expect(output.text).toContain("30 100");
  });

  it("refuses a size that cannot be, and ignores a size after its end", async () => {
    const terminal = start(["true"]);
    expect(() => terminal.resize({ cols: 0, rows: 24 })).toThrow("0 columns");
    await terminal.exited;
    expect(() => terminal.resize({ cols: 80, rows: 24 })).not.toThrow();
  });

  it("edits lines by characters, not by bytes", async () => {
    const terminal = start(["sh", "-c", 'read line; echo "<$line>"']);
    const output = new Collector(terminal);
    await terminal.write(Buffer.from("aé\x7fb\r"));
    await terminal.exited;
    expect(output.text).toContain("<ab>");
  });

  it("takes a signal with all of its process group", async () => {
    const terminal = start(["sh", "-c", "sleep 30; echo not reached"]);
    expect(terminal.kill("SIGTERM")).toBe(true);
    expect((await terminal.exited).signalName).toBe("SIGTERM");
    expect(terminal.kill("SIGTERM")).toBe(false);
  });

  it("gets SIGHUP when its terminal is closed", async () => {
    const terminal = start(["sh", "-c", "echo ready; exec sleep 30"]);
    await new Collector(terminal).until(/ready/);
    terminal.close();
    terminal.close();
    expect((await terminal.exited).signalName).toBe("SIGHUP");
    expect(await terminal.write(Buffer.from("x"))).toBe(0);
  });

  it("is blocked while nobody reads, and goes on afterwards", async () => {
    const terminal = start(["sh", "-c", "stty raw; head -c 300000 /dev/zero; printf end"]);
    const output = new Collector(terminal);
    await output.until((text) => text.length > 0);
    terminal.pause();
    const stuck = output.bytes.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(output.bytes.length).toBeLessThanOrEqual(stuck + 16 * 1024);
    expect(terminal.alive).toBe(true);
    terminal.resume();
    await terminal.exited;
    expect(output.bytes.length).toBe(300_003);
  });

  it("gives no more than a chunk to a host that pauses as soon as it listens", async () => {
    const terminal = start(["sh", "-c", "stty raw; head -c 300000 /dev/zero"]);
    const output = new Collector(terminal);
    terminal.pause();
    await output.until((text) => text.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(output.bytes.length).toBeLessThanOrEqual(16 * 1024);
    terminal.resume();
    await terminal.exited;
    expect(output.bytes.length).toBe(300_000);
  });

  it.each(["while it is read", "while reading is paused"])(
    "can be read without the event loop, %s",
    async (how) => {
      const terminal = start(["sh", "-c", "stty -echo; printf ready; read line; printf drawn; read line"]);
      const output = new Collector(terminal);
      await output.until(/ready/);
      if (how.endsWith("paused")) terminal.pause();
      void terminal.write(Buffer.from("\n"));
      // Nobody but this call reads: the event loop does not turn.
      for (const end = Date.now() + HANG_MS; !output.text.endsWith("drawn") && Date.now() < end;)
        terminal.readNow();
      expect(output.text).toBe("readydrawn");
      expect(terminal.readNow()).toBe(false);
      terminal.close();
      expect(terminal.readNow()).toBe(false);
      await terminal.exited;
    },
  );

  it("gives every listener every chunk until that listener is removed", async () => {
    const terminal = start(["sh", "-c", "echo one; read x; echo two"]);
    const first = new Collector(terminal);
    const chunks: string[] = [];
    const off = terminal.onData((chunk) => chunks.push(Buffer.from(chunk).toString()));
    await first.until(/one/);
    off();
    await terminal.write(Buffer.from("\r"));
    await terminal.exited;
    expect(chunks.join("")).toContain("one");
    expect(chunks.join("")).not.toContain("two");
    expect(first.text).toContain("two");
  });
});

describe("a tool that cannot be started", () => {
  it("is an error before any terminal is opened", () => {
    expect(() => start(["no-such-tool"])).toThrow(
      expect.objectContaining({ code: "ATB_TOOL_NOT_FOUND", exitCode: 127 }),
    );
    expect(() => start([folder])).toThrow(expect.objectContaining({ code: "ATB_TOOL_START_FAILED" }));
    const cwd = join(folder, "gone");
    expect(() => start(["true"], { cwd })).toThrow(
      expect.objectContaining({ code: "ATB_TOOL_START_FAILED" }),
    );
  });

  it("is looked up in the tool's own PATH", () => {
    const env = { ...environment(), PATH: folder };
    expect(() => start(["sh"], { env })).toThrow(expect.objectContaining({ code: "ATB_TOOL_NOT_FOUND" }));
  });
});
