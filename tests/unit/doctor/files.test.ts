/** `doctor` checks that the files and directories are the user's own, private and writable. */
import { makeTestFolder } from "../../support/temporary-folder.js";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { checkFiles } from "../../../src/doctor/files.js";
import { resolvePaths, type Paths } from "../../../src/config/paths.js";
import { isRoot, skipped } from "../../support/skipped.js";

const UID = process.getuid?.() ?? 0;

describe("files and directories as doctor sees them", () => {
  let folder = "";
  let paths: Paths;

  beforeEach(() => {
    folder = makeTestFolder("doctor");
    const env = { ATLASBRIDGE_HOME: join(folder, "home") };
    paths = resolvePaths({ env, userHome: folder, tmpDir: folder, uid: UID });
  });

  const look = (secretFiles: readonly string[] = [], uid = UID) => {
    const findings = checkFiles({ paths, uid, secretFiles });
    return (name: string) => findings.filter((finding) => finding.name === name);
  };

  const makeHome = (mode = 0o700): void => {
    mkdirSync(paths.logsDir, { recursive: true });
    for (const path of [paths.dataDir, paths.logsDir]) chmodSync(path, mode);
  };

  const makeFile = (path: string, mode: number): string => {
    writeFileSync(path, "");
    chmodSync(path, mode);
    return path;
  };

  it("that do not exist yet are no fault", () => {
    const of = look();
    for (const name of ["directories", "config_file", "private_files", "disk"])
      expect(of(name)).toMatchObject([{ state: "ok" }]);
  });

  it("that are only ours are no fault", () => {
    makeHome();
    const secret = makeFile(join(paths.configDir, "token"), 0o600);
    makeFile(paths.config, 0o600);
    makeFile(paths.database, 0o600);
    const of = look([secret]);
    expect(of("directories")).toMatchObject([{ state: "ok" }]);
    expect(of("config_file")).toMatchObject([{ state: "ok" }]);
    expect(of("private_files")).toMatchObject([
      { state: "ok", found: "2 files with secrets or prompts: private to you" },
    ]);
  });

  it("that others may read are named, with the command that closes them", () => {
    makeHome(0o755);
    makeFile(paths.config, 0o644);
    const secret = makeFile(join(paths.configDir, "token"), 0o640);
    const of = look([secret]);
    expect(of("directories")).toMatchObject([
      { state: "warn", action: expect.stringContaining(`chmod 700 ${paths.dataDir}`) as string },
      { state: "warn" },
    ]);
    expect(of("config_file")).toMatchObject([
      { state: "warn", action: `Run \`chmod 600 ${paths.config}\`.` },
    ]);
    expect(of("private_files")).toMatchObject([
      { state: "fail", found: `${secret} is open to others (mode 0640)` },
    ]);
  });

  it("that others may write to fail: directories in the words of the hub that refuses them", () => {
    makeHome(0o777);
    makeFile(paths.config, 0o600);
    const of = look();
    expect(of("directories")[0]).toMatchObject({
      state: "fail",
      found: `the directory ${paths.dataDir} may be written to by others (ATB_SOCKET_UNSAFE)`,
    });
    // The file itself is closed, but in this folder anybody can put another in its place.
    expect(of("config_file")).toMatchObject([{ state: "fail" }]);
  });

  it("of somebody else fail", () => {
    makeHome();
    const secret = makeFile(join(paths.configDir, "token"), 0o600);
    const of = look([secret], UID + 1);
    expect(of("directories")[0]?.found).toContain(`belongs to user ${UID}, not to ${UID + 1}`);
    expect(of("private_files")).toMatchObject([
      { state: "fail", action: expect.stringContaining("chown") as string },
    ]);
  });

  it("may not be links where the hub keeps its own; the configuration may", () => {
    const elsewhere = join(folder, "elsewhere");
    mkdirSync(join(elsewhere, "logs"), { recursive: true, mode: 0o700 });
    symlinkSync(elsewhere, paths.dataDir);
    writeFileSync(join(folder, "kept.yaml"), "", { mode: 0o600 });
    symlinkSync(join(folder, "kept.yaml"), paths.config);
    const of = look();
    expect(of("directories")[0]).toMatchObject({
      state: "fail",
      found: expect.stringContaining("is a symbolic link") as string,
    });
    expect(of("config_file")).toMatchObject([{ state: "ok" }]);
  });

  it.skipIf(skipped(isRoot))("where nothing can be written fail", () => {
    makeHome(0o500);
    expect(look()("disk")).toMatchObject([{ state: "fail" }]);
  });
});
