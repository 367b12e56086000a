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

it("a tool that shows nothing within the limit for its start is ended, and one that does is not", async () => {
  const limit = ["run", "--no-relay", "--start-within", "1s", "--"];
  const silent = await home.run(...limit, "sh", "-c", "exec sleep 600");
  expect(silent).toMatchObject({ code: 143, stdout: "" });
  expect(silent.stderr).toContain("had shown nothing 1 s after its start (--start-within)");
  const slow = await home.run(...limit, "sh", "-c", "echo up; sleep 1.5; exit 4");
  expect(slow).toMatchObject({ code: 4, stderr: "" });
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

/** What the command before a pipe exits with if nobody reads its output, and what it prints about that. */
function unread(...args: string[]): Promise<[string, string]> {
  const line = `{ "$@"; echo "code $?" >&3; } 3>&2 | true`;
  const command = [process.execPath, MAIN, ...args];
  return new Promise((resolve) => {
    execFile("sh", ["-c", line, "sh", ...command], { env: home.env }, (_, __, stderr) => {
      resolve([/code (\d+)/.exec(stderr)?.[1] ?? "", stderr]);
    });
  });
}

it("a command whose output nobody reads keeps its exit code", async () => {
  expect(await unread("policy", "explain", "zz9", "--json")).toEqual([
    "2",
    expect.stringContaining("policy.yaml does not exist"),
  ]);
  expect((await unread("version"))[0]).toBe("0");
});

it("an export whose output nobody reads says nothing of the database", async () => {
  expect((await home.run("hub", "start")).code).toBe(0);
  expect((await home.run("pause")).code).toBe(0);
  expect(await unread("audit", "export")).toEqual(["141", "code 141\n"]);
});

it.skipIf(skipped(existsSync("/dev/full") ? null : "there is no /dev/full"))(
  "a full disk under a command's output is named, and no bug is reported",
  async () => {
    expect((await home.run("hub", "start")).code).toBe(0);
    expect((await home.run("pause")).code).toBe(0);
    const full = (...args: string[]): Promise<[unknown, string]> =>
      new Promise((resolve) => {
        const command = ["-c", '"$@" > /dev/full', "sh", process.execPath, MAIN, ...args];
        execFile("sh", command, { env: home.env }, (error, _, stderr) => resolve([error?.code, stderr]));
      });
    expect(await full("version")).toEqual([3, expect.stringMatching(/^atlasbridge: standard output cannot/)]);
    const [code, said] = await full("audit", "export");
    expect([code, said]).toEqual([3, expect.stringContaining("standard output cannot be written (ENOSPC)")]);
    expect(said).not.toContain("atlasbridge.db");
  },
);
