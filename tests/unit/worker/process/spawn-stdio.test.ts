/** The stdio of a process that outlives us covers exactly the descriptors that it would inherit. */
import { makeTestFolder } from "../../../support/temporary-folder.js";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { buildSpawnStdio } from "../../../../src/worker/process/spawn-stdio.js";

const KEPT = "02100002";
const LEAKS = "0104002";
const NULL_FD = 40;
let proc = "";

beforeEach(() => {
  proc = makeTestFolder("fdinfo");
  mkdirSync(join(proc, "self", "fdinfo"), { recursive: true });
});

function open(fd: number, flags: string): void {
  writeFileSync(join(proc, "self", "fdinfo", String(fd)), `pos:\t0\nflags:\t${flags}\nmnt_id:\t24\n`);
}

describe("the stdio of a process that outlives us", () => {
  it("covers exactly the descriptors that would be inherited", () => {
    for (const fd of [0, 1, 2]) open(fd, LEAKS);
    open(3, KEPT);
    open(4, LEAKS);
    open(6, LEAKS);
    open(7, KEPT);
    expect(buildSpawnStdio(["ignore", 8, 8], NULL_FD, proc)).toEqual([
      "ignore",
      8,
      8,
      "ignore",
      NULL_FD,
      "ignore",
      NULL_FD,
    ]);
  });

  it("is just the three streams when nothing leaks, or where the system does not tell", () => {
    open(3, KEPT);
    expect(buildSpawnStdio(["ignore", 8, 9], NULL_FD, proc)).toEqual(["ignore", 8, 9]);
    expect(buildSpawnStdio(["ignore", 8, 9], NULL_FD, join(proc, "none"))).toEqual(["ignore", 8, 9]);
  });
});
