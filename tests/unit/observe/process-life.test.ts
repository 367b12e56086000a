/** A process counts as alive by its number and start time, and as ended when it is a zombie or its number belongs to another process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { isProcessAlive, readProcessStartTime } from "../../../src/observe/process-life.js";
import { notLinux, skipped } from "../../support/skipped.js";
import { eventually } from "../../support/hub-home.js";

describe("whether a process is alive", () => {
  it("is seen by number and start time", () => {
    expect(isProcessAlive(process.pid, readProcessStartTime(process.pid))).toBe(true);
    expect(isProcessAlive(process.pid, null)).toBe(true);
  });

  it("is over when the number belongs to another process now", () => {
    expect(isProcessAlive(process.pid, "1")).toBe(process.platform === "linux" ? false : true);
  });

  it.skipIf(skipped(notLinux))("is over for a zombie that nobody collects", async () => {
    // The shell starts a child, tells its number, and becomes a program that never waits for it: only then may the child end.
    const parent = spawn("sh", ["-c", "cat <&3 & echo $!; exec sleep 30"], {
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
    const [line] = (await once(parent.stdio[1] as Readable, "data")) as [Buffer];
    const program = `/proc/${parent.pid}/comm`;
    await eventually(() => readFileSync(program, "utf8") === "sleep\n");
    (parent.stdio[3] as Writable).end();
    const zombie = Number(line.toString());
    await eventually(() => !isProcessAlive(zombie, null));
    expect(readProcessStartTime(zombie)).not.toBeNull();
    parent.kill("SIGKILL");
  });

  it("is over when it ended", async () => {
    const child = spawn(process.execPath, ["-e", "0"]);
    const { pid = 0 } = child;
    await once(child, "exit");
    expect(isProcessAlive(pid, null)).toBe(false);
    expect(readProcessStartTime(pid)).toBeNull();
  });
});
