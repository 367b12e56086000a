/**
 * `run` passes on the exit code of its tool even where the hub is not up or never comes up. A full disk under the output ends the
 * tool without a report of a bug.
 */
import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HubHome, MAIN } from "../support/hub-home.js";
import { skipped } from "../support/skipped.js";

const FAILING = ["--", "sh", "-c", "exit 7"];
let home: HubHome;

beforeEach(() => void (home = new HubHome()));
afterEach(() => home.close());

it("a tool that ends before the hub is up still gives its exit code", async () => {
  expect((await home.run("run", ...FAILING)).code).toBe(7);
});

it("a tool whose hub never comes up still gives its exit code", async () => {
  const file = join(home.folder, "file");
  writeFileSync(file, "");
  Object.assign(home.env, { ATLASBRIDGE_HOME: file });
  expect((await home.run("run", ...FAILING)).code).toBe(7);
});

// 128 and SIGHUP: what a tool ends with whose terminal is gone.
it.skipIf(skipped(existsSync("/dev/full") ? null : "there is no /dev/full"))(
  "a full disk under the output ends the tool, and no bug is reported",
  async () => {
    const shell = `"${process.execPath}" "${MAIN}" run --no-relay -- sh -c 'echo hi; exec sleep 60' > /dev/full`;
    const ended = new Promise<[unknown, string]>((resolve) => {
      execFile("sh", ["-c", shell], { env: home.env }, (error, _, stderr) => resolve([error?.code, stderr]));
    });
    expect(await ended).toEqual([129, ""]);
  },
);
