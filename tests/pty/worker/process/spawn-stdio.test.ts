/** A process that is started beside a tool with the stdio made for it does not hold the tool's terminal open. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildSpawnStdio } from "../../../../src/worker/process/spawn-stdio.js";
import { start } from "../../support/tools.js";
import { notLinux, skipped } from "../../../support/skipped.js";

const LIST = ["-l", "/proc/self/fd"] as const;

describe.skipIf(skipped(notLinux))("a process that is started beside a tool", () => {
  it("holds the tool's terminal open, unless it is started with the stdio made for it", async () => {
    const terminal = start(["sleep", "30"]);
    const nullFd = openSync("/dev/null", "r+");
    const careless = spawnSync("ls", LIST, { stdio: ["ignore", "pipe", "ignore"] });
    const [, , , ...covered] = buildSpawnStdio(["ignore", "ignore", "ignore"], nullFd);
    const careful = spawnSync("ls", LIST, { stdio: ["ignore", "pipe", "ignore", ...covered] });
    closeSync(nullFd);
    expect(careless.stdout.toString()).toContain("ptmx");
    expect(careful.stdout.toString()).toContain("/dev/null");
    expect(careful.stdout.toString()).not.toContain("ptmx");
    terminal.close();
    await terminal.exited;
  });
});
