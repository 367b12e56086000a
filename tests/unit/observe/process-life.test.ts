import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { processAlive, processStartTime } from "../../../src/observe/process-life.js";

describe("the life of a process", () => {
  it("is seen by number and start time", () => {
    expect(processAlive(process.pid, processStartTime(process.pid))).toBe(true);
    expect(processAlive(process.pid, null)).toBe(true);
  });

  it("is over when the number belongs to another process now", () => {
    expect(processAlive(process.pid, "1")).toBe(process.platform === "linux" ? false : true);
  });

  it("is over when it ended", async () => {
    const child = spawn(process.execPath, ["-e", "0"]);
    const { pid = 0 } = child;
    await once(child, "exit");
    expect(processAlive(pid, null)).toBe(false);
    expect(processStartTime(pid)).toBeNull();
  });
});
