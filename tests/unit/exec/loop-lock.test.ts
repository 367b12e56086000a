/** The lock of a loop is held until it is released, and is taken over only from a process that is dead. */
import { makeTestFolder } from "../../support/temporary-folder.js";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { claimLoop } from "../../../src/exec/loop-lock.js";
import { readProcessStartTime } from "../../../src/observe/process-life.js";

let folder: string;
const lock = (): string => join(folder, "loop.lock");

beforeEach(() => (folder = makeTestFolder("loop")));

it("the lock of a loop is held until it is released, and leaves nothing behind", () => {
  const first = claimLoop(lock());
  expect(first.kind).toBe("held");
  expect(claimLoop(lock())).toEqual({ kind: "taken", pid: process.pid });
  if (first.kind === "held") first.release();
  expect(readdirSync(folder)).toEqual([]);
  expect(claimLoop(lock()).kind).toBe("held");
});

it("the lock of a loop is taken over from a killed process, and not from one that lives", async () => {
  const child = spawn("sleep", ["600"]);
  const pid = child.pid ?? 0;
  writeFileSync(lock(), JSON.stringify({ pid, startTime: readProcessStartTime(pid) }));
  expect(claimLoop(lock())).toEqual({ kind: "taken", pid });
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(claimLoop(lock()).kind).toBe("held");
  expect(readdirSync(folder)).toEqual(["loop.lock"]);
});

it.each(["", "{", '{"pid":"1"}', '{"pid":-1,"startTime":null}'])(
  "the lock of a loop is taken over where it names no process: %j",
  (text) => {
    writeFileSync(lock(), text);
    expect(claimLoop(lock()).kind).toBe("held");
    expect(existsSync(lock())).toBe(true);
  },
);
