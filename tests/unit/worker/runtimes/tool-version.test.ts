/** The version of a tool is asked once and kept until its file changes, and a script is asked each time. */
import { makeTestFolder } from "../../../support/temporary-folder.js";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readKnownVersion } from "../../../../src/worker/runtimes/tool-version.js";
import { resolvePaths } from "../../../../src/config/paths.js";

let folder = "";
beforeEach(() => void (folder = makeTestFolder("versions")));

const paths = () =>
  resolvePaths({
    env: { ATLASBRIDGE_HOME: join(folder, "home") },
    userHome: folder,
    tmpDir: folder,
    uid: process.getuid?.() ?? 0,
  });
const environment = { PATH: process.env["PATH"] };

/** Counts how often it was asked. No shell script: those start another program, which may change while they stay. */
function tool(version: string, { name = "tool", then = "" } = {}): string {
  return install(
    name,
    `#!${process.execPath}\nrequire("fs").appendFileSync("${folder}/asked", "asked\\n");\n${then}\nconsole.log("${version}");\n`,
  );
}

function install(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, 0o700);
  return file;
}

const timesAsked = (): number => readFileSync(join(folder, "asked"), "utf8").trim().split("\n").length;
const kept = (): string => join(paths().dataDir, "tool-versions.json");

describe("the version of a tool", () => {
  it("is asked of it once, and kept in a private file", async () => {
    const file = tool("2.1.329");
    for (let run = 0; run < 3; run++)
      expect(await readKnownVersion(file, environment, paths())).toBe("2.1.329");
    expect(timesAsked()).toBe(1);
    expect(statSync(kept()).mode & 0o777).toBe(0o600);
  });

  it("is asked again when its file has changed", async () => {
    const file = tool("2.1.329");
    await readKnownVersion(file, environment, paths());
    tool("2.1.330");
    utimesSync(file, new Date(), new Date(Date.now() + 5000));
    expect(await readKnownVersion(file, environment, paths())).toBe("2.1.330");
    expect(timesAsked()).toBe(2);
  });

  it.each([
    ["is too slow today", "setTimeout(() => undefined, 60_000); return;"],
    ["fails today", "process.exit(1);"],
    ["is killed today", "process.kill(process.pid, 'SIGKILL');"],
    ["says only a part today", "console.log('1.0.0'); setTimeout(() => undefined, 60_000); return;"],
  ])("is asked again of a tool that %s, and known from then on", async (_, then) => {
    const file = tool("2.1.329", { then: `if (!process.env["WELL"]) { ${then} }` });
    const limits = { limitMs: 1500 };
    expect(await readKnownVersion(file, environment, paths(), limits)).toBeNull();
    const well = { ...environment, WELL: "1" };
    expect(await readKnownVersion(file, well, paths())).toBe("2.1.329");
    expect(await readKnownVersion(file, environment, paths(), limits)).toBe("2.1.329");
  });

  it("is asked each time of a shell script, behind which the tool changes", async () => {
    const behind = tool("2.0.76", { name: "behind" });
    const file = install("tool", `#!/bin/sh\nexec "${behind}" "$@"\n`);
    expect(await readKnownVersion(file, environment, paths())).toBe("2.0.76");
    tool("2.1.329", { name: "behind" });
    expect(await readKnownVersion(file, environment, paths())).toBe("2.1.329");
  });

  it("is asked by the tool's own name, and each time of a program that has many", async () => {
    const many = install(
      "manager",
      `#!${process.execPath}\nconsole.log(process.argv[1].endsWith("/tool") ? process.env["VERSION"] : "9.9.9");\n`,
    );
    const file = join(folder, "tool");
    symlinkSync(many, file);
    for (const version of ["2.0.76", "2.1.329"])
      expect(await readKnownVersion(file, { ...environment, VERSION: version }, paths())).toBe(version);
  });

  it("is asked when what was kept is damaged", async () => {
    const file = tool("1.2.3");
    mkdirSync(paths().dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(kept(), "{ no");
    expect(await readKnownVersion(file, environment, paths())).toBe("1.2.3");
  });

  it("is unknown without a file", async () => {
    expect(await readKnownVersion(join(folder, "absent"), environment, paths())).toBeNull();
  });

  it("is kept for a limited number of tools", async () => {
    mkdirSync(paths().dataDir, { recursive: true, mode: 0o700 });
    const many = Array.from({ length: 500 }, (_, at) => [`/tool-${at}`, { mark: "", version: "1" }]);
    writeFileSync(kept(), JSON.stringify(Object.fromEntries(many)));
    const file = tool("1.2.3");
    await readKnownVersion(file, environment, paths());
    const known = JSON.parse(readFileSync(kept(), "utf8")) as Record<string, unknown>;
    expect(Object.keys(known)).toHaveLength(100);
    expect(await readKnownVersion(file, environment, paths())).toBe("1.2.3");
    expect(timesAsked()).toBe(1);
  });
});
