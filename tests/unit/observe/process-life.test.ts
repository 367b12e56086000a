import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { processAlive, processStartTime } from "../../../src/observe/process-life.js";

describe("the life of a process", () => {
  it("is seen by number and start time", () => {
    expect(processAlive(process.pid, processStartTime(process.pid))).toBe(true);
    expect(processAlive(process.pid, null)).toBe(true);
  });

  it("is over when the number belongs to another process now", () => {
    expect(processAlive(process.pid, "1")).toBe(process.platform === "linux" ? false : true);
  });

  it.skipIf(process.platform !== "linux")("is over for a zombie that nobody collects", async () => {
    // The shell starts a child, becomes a program that never waits for it, and tells its number.
    const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 30"]);
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const zombie = Number(line.toString());
    await vi.waitUntil(() => !processAlive(zombie, null), { timeout: 5000 });
    expect(processStartTime(zombie)).not.toBeNull();
    parent.kill("SIGKILL");
  });

  it("is over when it ended", async () => {
    const child = spawn(process.execPath, ["-e", "0"]);
    const { pid = 0 } = child;
    await once(child, "exit");
    expect(processAlive(pid, null)).toBe(false);
    expect(processStartTime(pid)).toBeNull();
  });
});
