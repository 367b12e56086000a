/** The packed package works when it is installed globally, in a project without install scripts, and by npx. */
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Check, Diagnosis } from "../../src/doctor/check.js";
import { Installation, type Ended } from "../support/pack/installation.js";

const SCENARIOS = resolve("prompt-lab/scenarios/generic");

const installation = new Installation();
beforeAll(() => installation.pack());
afterAll(() => installation.close());

/** What `doctor --json` says, by the name of the check. */
function readChecks({ stdout }: Ended): (name: string) => Check | undefined {
  const { data } = JSON.parse(stdout) as { data: Diagnosis };
  return (name) => data.checks.find((check) => check.name === name);
}

describe("installed globally", () => {
  let command = "";

  beforeAll(async () => {
    const prefix = installation.place("global");
    await installation.npm([
      "install",
      "--global",
      `--prefix=${prefix}`,
      "--allow-scripts=better-sqlite3,node-pty",
      installation.tarball,
    ]);
    command = `${prefix}/bin/atlasbridge`;
  });

  const run = (...args: string[]): Promise<Ended> => installation.run(command, args);

  it("knows its version", async () => {
    expect(await run("--version")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    });
  });

  it("has no fault that doctor finds", async () => {
    const ended = await run("doctor", "--json");
    expect(ended.code).toBe(0);
    const of = readChecks(ended);
    for (const name of ["node-pty", "better-sqlite3", "adapters"])
      expect(of(name)).toMatchObject({ state: "ok" });
  });

  it("runs a tool and ends as it did", async () => {
    expect(await run("run", "--no-relay", "--", "sh", "-c", "echo hello; exit 3")).toMatchObject({
      code: 3,
      stdout: "hello\r\n",
    });
  });

  it("shows the whole way in the demo", { timeout: 300_000 }, async () => {
    const { code, stdout } = await run("demo", "--auto");
    expect(stdout).toContain("Every answer had its effect.");
    expect(code).toBe(0);
  });

  it("replays scenarios of a checkout, and says that it holds none itself", async () => {
    expect(await run("lab", "run", SCENARIOS)).toMatchObject({ code: 0 });
    expect(await run("lab", "run")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("this installation contains no scenarios") as string,
    });
  });
});

describe("installed into a project by an npm that runs no install scripts", () => {
  let project = "";

  beforeAll(async () => {
    project = installation.place("project");
    await installation.npm(["install", `--prefix=${project}`, "--ignore-scripts", installation.tarball]);
  });

  const npx = (...args: string[]): Promise<Ended> =>
    installation.run("npx", [`--prefix=${project}`, "atlasbridge", ...args]);

  it("does by npx what needs no addon", async () => {
    expect((await npx("--version")).code).toBe(0);
    expect((await npx("lab", "run", SCENARIOS)).code).toBe(0);
  });

  it("says what is missing, and doctor's advice repairs it", async () => {
    const before = readChecks(await npx("doctor", "--json"));
    expect(before("better-sqlite3")).toMatchObject({ state: "fail" });
    const { found, action } = before("node-pty") ?? {};
    expect(found).toBe("was never built: npm did not run its install script");
    const [, advised = "", folder = ""] = /^Run `npm (rebuild node-pty)` in (\S+)/.exec(action ?? "") ?? [];
    await installation.npm(advised.split(" "), folder);
    expect(readChecks(await npx("doctor", "--json"))("node-pty")).toMatchObject({ state: "ok" });
  });
});

it("runs by npx from the tarball itself", async () => {
  // npx keeps what it installs in npm's cache; this one goes away with the rest.
  const env = { npm_config_cache: installation.place("cache"), npm_config_ignore_scripts: "true" };
  const npx = ["--yes", `--package=${installation.tarball}`, "--", "atlasbridge"];
  const ended = await installation.run("npx", [...npx, "lab", "run", SCENARIOS], env);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("passed") as string });
});
