/** The file of a service is as expected for each service manager, and `hub install` writes and removes only its own file. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { installService, printService, uninstallService } from "../../../src/service/install-service.js";
import {
  buildLaunchdPlist,
  buildSystemdUnit,
  describeService,
  PLIST_HEAD,
  type UserService,
} from "../../../src/service/service-files.js";
import { resolvePaths } from "../../../src/config/paths.js";
import { notLinux, skipped } from "../../support/skipped.js";

const GOLDEN = join(import.meta.dirname, "../../fixtures/golden/service");

const at = (env: Record<string, string>, command: readonly string[]): UserService => {
  const paths = resolvePaths({ env, userHome: "/home/ara", tmpDir: "/tmp", uid: 1000 });
  return describeService(paths, command, env);
};

const HUB = ["hub", "start", "--foreground", "--service"];
const plain = at({}, ["/usr/bin/node", "/usr/local/bin/atlasbridge", ...HUB]);
const nasty = at({ ATLASBRIDGE_HOME: `/home/ara/50% "of" it's & <all> $HOME\\ü` }, [
  "/opt/my node $1 100%/node",
  `/opt/5% "a" b's $HOME \${X} & <c>\\n/main.js`,
  ...HUB,
]);
const elsewhere = at({ XDG_DATA_HOME: "/data/ara", XDG_CONFIG_HOME: "relative, so not meant" }, [
  "/usr/bin/node",
  "/usr/local/bin/atlasbridge",
  ...HUB,
]);

describe("a service's file", () => {
  it.each([
    ["plain.service", buildSystemdUnit(plain)],
    ["nasty.service", buildSystemdUnit(nasty)],
    ["elsewhere.service", buildSystemdUnit(elsewhere)],
    ["plain.plist", PLIST_HEAD + buildLaunchdPlist(plain)],
    ["nasty.plist", PLIST_HEAD + buildLaunchdPlist(nasty)],
  ])("has the expected text: %s", (name, text) => {
    expect(text).toBe(readFileSync(join(GOLDEN, name), "utf8"));
  });

  it("has a name of its own for each home", () => {
    const names = ["/a", "/b"].map((home) => at({ ATLASBRIDGE_HOME: home }, []).name);
    expect(new Set([...names, plain.name]).size).toBe(3);
    expect(plain.name).toBe("atlasbridge-hub");
  });

  it("is not written where the manager could not read it", () => {
    expect(() => buildSystemdUnit({ ...plain, command: ['/opt/"node"'] })).toThrow(/cannot start/);
    expect(() => buildSystemdUnit({ ...plain, environmentFile: "/a\nb" })).toThrow(/cannot read/);
    expect(() => buildLaunchdPlist({ ...plain, command: ["/opt/\u0007"] })).toThrow(/cannot represent/);
  });
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
const noSystemd = hasSystemd ? null : "systemd does not check its file: there is no systemd-analyze";

describe.skipIf(skipped(noSystemd))("systemd", () => {
  it("finds no fault in the file, and finds the program in any place", () => {
    const folder = mkdtempSync(join(tmpdir(), "atb-"));
    try {
      const program = join(folder, "my node $1 100% ü", "node");
      mkdirSync(dirname(program));
      copyFileSync("/bin/true", program);
      chmodSync(program, 0o755);
      const unit = join(folder, "hub.service");
      writeFileSync(unit, buildSystemdUnit({ ...nasty, command: [program, ...nasty.command.slice(1)] }));
      const env = { ...process.env, XDG_RUNTIME_DIR: folder };
      const checked = spawnSync("systemd-analyze", ["--user", "verify", unit], { env, encoding: "utf8" });
      expect(checked).toMatchObject({ status: 0, stderr: "" });
      // It would complain of a program that is not there.
      rmSync(program);
      const again = spawnSync("systemd-analyze", ["--user", "verify", unit], { env, encoding: "utf8" });
      expect(again.stderr).toContain(`${program} is not executable`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const hasPlists = spawnSync("python3", ["-c", "import plistlib"]).status === 0;
const noPlists = hasPlists ? null : "nobody reads the plist: there is no python3";

describe.skipIf(skipped(noPlists))("a plist", () => {
  it("says to its reader what was meant", () => {
    const reads = "import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
    const input = PLIST_HEAD + buildLaunchdPlist(nasty);
    const read = JSON.parse(execFileSync("python3", ["-c", reads], { input, encoding: "utf8" })) as object;
    expect(read).toMatchObject({
      ProgramArguments: nasty.command,
      EnvironmentVariables: nasty.environment,
      KeepAlive: { SuccessfulExit: false },
      Umask: 63,
      StandardErrorPath: nasty.log,
    });
  });
});

describe.skipIf(skipped(notLinux))("hub install", () => {
  let folder: string;
  let unit: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "atb-"));
    vi.stubEnv("HOME", folder);
    for (const name of ["ATLASBRIDGE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"])
      vi.stubEnv(name, undefined);
    unit = join(folder, ".config/systemd/user/atlasbridge-hub.service");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  it("prints what it would write, and writes nothing then", () => {
    expect(printService()).toMatch(/^# Written by `atlasbridge hub install`/);
    expect(existsSync(join(folder, ".config"))).toBe(false);
    installService();
    expect(readFileSync(unit, "utf8")).toBe(printService());
  });

  it("writes over its own file, and takes it away with the link that starts it", () => {
    expect(installService()).toMatchObject({ path: unit, notes: [] });
    vi.stubEnv("XDG_DATA_HOME", join(folder, "data"));
    installService();
    expect(readFileSync(unit, "utf8")).toContain(`XDG_DATA_HOME=${folder}/data`);
    const link = join(dirname(unit), "default.target.wants/atlasbridge-hub.service");
    mkdirSync(dirname(link));
    symlinkSync(unit, link);
    expect(uninstallService()).toMatchObject({ removed: true });
    expect(existsSync(unit)).toBe(false);
    expect(lstatSync(link, { throwIfNoEntry: false })).toBeUndefined();
    expect(uninstallService()).toMatchObject({ removed: false });
  });

  it.each([
    ["somebody else's file", (path: string) => writeFileSync(path, "[Unit]\n")],
    ["an empty file", (path: string) => writeFileSync(path, "")],
    ["a directory", (path: string) => mkdirSync(path)],
    ["a link", (path: string) => symlinkSync("/dev/null", path)],
    [
      "its own file that was changed by hand",
      (path: string) => {
        installService();
        writeFileSync(path, readFileSync(path, "utf8").replace("RestartSec=5", "RestartSec=50"));
      },
    ],
  ])("touches nothing but its own file: %s", (_, put) => {
    mkdirSync(dirname(unit), { recursive: true });
    put(unit);
    const before = lstatSync(unit);
    expect(installService).toThrow(expect.objectContaining({ code: "ATB_FILE_FOREIGN" }));
    expect(uninstallService).toThrow(expect.objectContaining({ code: "ATB_FILE_FOREIGN" }));
    expect(lstatSync(unit)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  it("says which secrets a service would miss, and writes none of them anywhere", () => {
    vi.stubEnv("MY_TOKEN", "123456:AAsecret");
    const config = join(folder, ".config/atlasbridge/config.yaml");
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, "channels:\n  telegram: { token: '${MY_TOKEN}', deliver_to: [1] }\n");
    const { notes, path } = installService();
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/takes MY_TOKEN from the environment.*hub\.env/);
    expect(readFileSync(path, "utf8")).not.toContain("AAsecret");
  });
});
