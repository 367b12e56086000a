/**
 * A tool of a version that its adapter was not made for runs as usual, and the log names the version. Other programs that run
 * with the adapter are not asked.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, HubHome } from "../support/hub-home.js";
import { isAlive } from "../support/rig/processes.js";

const SAID = "the tool is of a version that its adapter was not made for";

let home: HubHome;
beforeEach(() => void (home = new HubHome()));
afterEach(() => home.close());

/** Puts a tool in front of all others: what it does when it is asked for its version, and when it is run. */
function install(name: string, asked: string, run: string): string {
  return put(name, `#!/bin/sh\nif [ "$*" = --version ]; then ${asked}; fi\n${run}\n`);
}

/** The same as no shell script: what a shell script starts may change, so its version is not kept. */
function installProgram(name: string, asked: string, run: string): string {
  const text = `process.argv[2] === "--version" ? ${JSON.stringify(asked)} : ${JSON.stringify(run)}`;
  const start = `spawnSync("/bin/sh", ["-c", ${text}, __filename], { stdio: "inherit" })`;
  return put(
    name,
    `#!${process.execPath}\nconst { spawnSync } = require("child_process");\nprocess.exitCode = ${start}.status;\n`,
  );
}

function put(name: string, text: string): string {
  const folder = join(home.folder, "tools");
  mkdirSync(folder, { recursive: true });
  Object.assign(home.env, { PATH: `${folder}${delimiter}${process.env["PATH"]}` });
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

const logged = (): string => (existsSync(home.paths.hubLog) ? readFileSync(home.paths.hubLog, "utf8") : "");
/** Ends the tool once the log says it, and never when it does not. */
const UNTIL_SAID = (): string =>
  `until grep -q '${SAID}' '${home.paths.hubLog}'; do sleep 0.05; done; exit 7`;

describe("the version of a running tool", () => {
  it("is logged when its adapter was not made for it, and again in the next session", async () => {
    const file = installProgram(
      "codex",
      "echo codex-cli 7.1.0; echo asked >> $0.asked; exit 0",
      UNTIL_SAID(),
    );
    expect((await home.run("run", "codex")).code).toBe(7);
    expect((await home.run("run", "codex")).code).toBe(7);
    await eventually(() => logged().split(SAID).length === 3);
    const line = logged()
      .split("\n")
      .find((text) => text.includes(SAID));
    expect(JSON.parse(line ?? "")).toMatchObject({
      level: "warn",
      adapter: "codex",
      file,
      version: "7.1.0",
      supported: expect.stringMatching(/^>=/) as string,
      sessionId: expect.any(String) as string,
    });
    // It was asked once: what it said then is known.
    expect(readFileSync(`${file}.asked`, "utf8")).toBe("asked\n");
    expect((await home.run("hub", "logs")).stdout).toMatch(
      /warn +the tool is of a version .*version=7\.1\.0/,
    );
  });

  it("delays no run, and a process that does not report it ends with the run", async () => {
    const asking = join(home.folder, "asking");
    // Ends beside one that is being asked; those before it are given up by themselves.
    const wait = `until kill -0 "$(tail -n 1 '${asking}')"; do sleep 0.05; done 2>/dev/null; exit 7`;
    install("codex", `echo $$ >> '${asking}'; exec sleep 60`, wait);
    expect((await home.run("run", "codex")).code).toBe(7);
    const asked = readFileSync(asking, "utf8").trim().split("\n").map(Number);
    await eventually(() => !asked.some(isAlive));
    expect(logged()).not.toContain(SAID);
  });

  it("is not logged when the adapter was made for it", async () => {
    const known = join(home.paths.dataDir, "tool-versions.json");
    const wait = `until grep -q 0.150.1 '${known}'; do sleep 0.05; done; exit 7`;
    installProgram("codex", "echo 0.150.1; exit 0", wait);
    expect((await home.run("run", "codex")).code).toBe(7);
    expect(logged()).not.toContain(SAID);
  });

  it("is not asked of another program that the user has run with the adapter", async () => {
    const file = install("wrapper", "touch $0.asked; exit 0", "sleep 0.3; exit 7");
    expect((await home.run("run", "--adapter", "codex", "wrapper")).code).toBe(7);
    expect(existsSync(`${file}.asked`)).toBe(false);
  });
});
