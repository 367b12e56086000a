/**
 * Folders and the socket lie under ATLASBRIDGE_HOME or follow XDG, are private to their user, and keep within the limit of a
 * socket path.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resolvePaths, SOCKET_PATH_BYTES_MAX } from "../../../src/config/paths.js";
import {
  ensurePrivateDirectory,
  listHubSockets,
  writeHubAddress,
} from "../../../src/config/private-files.js";

const at = (env: Record<string, string>, tmpDir = "/tmp") =>
  resolvePaths({ env, userHome: "/home/ara", tmpDir, uid: 1000 });

describe("the paths of our files", () => {
  it("lie under ATLASBRIDGE_HOME when it is set", () => {
    const paths = at({ ATLASBRIDGE_HOME: "/srv/ab", XDG_CONFIG_HOME: "/x" });
    expect(paths).toMatchObject({
      config: "/srv/ab/config.yaml",
      adaptersDir: "/srv/ab/adapters",
      database: "/srv/ab/atlasbridge.db",
      auditKey: "/srv/ab/audit.key",
      capturedScenariosDir: "/srv/ab/captured_scenarios",
      hubLog: "/srv/ab/logs/hub.log",
      socket: "/srv/ab/hub.sock",
    });
  });

  it("follow XDG otherwise, and its defaults where it is unset or relative", () => {
    const set = at({ XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d", XDG_RUNTIME_DIR: "/run/user/1000" });
    expect(set.config).toBe("/c/atlasbridge/config.yaml");
    expect(set.database).toBe("/d/atlasbridge/atlasbridge.db");
    expect(set.socket).toBe("/run/user/1000/atlasbridge/hub.sock");
    const unset = at({ XDG_CONFIG_HOME: "relative" });
    expect(unset.config).toBe("/home/ara/.config/atlasbridge/config.yaml");
    expect(unset.database).toBe("/home/ara/.local/share/atlasbridge/atlasbridge.db");
  });

  it("put the socket into a private folder under TMPDIR without a runtime directory", () => {
    expect(at({}).socket).toMatch(/^\/tmp\/atlasbridge-1000\/[0-9a-f]{16}\.sock$/);
    expect(at({}).socket).not.toBe(at({ XDG_DATA_HOME: "/other" }).socket);
  });

  it.each([SOCKET_PATH_BYTES_MAX - 1, SOCKET_PATH_BYTES_MAX, SOCKET_PATH_BYTES_MAX + 1])(
    "keep a socket path of at most the limit and move a longer one (%d bytes)",
    (bytes) => {
      const home = `/${"h".repeat(bytes - "/hub.sock".length - 1)}`;
      const { socket } = at({ ATLASBRIDGE_HOME: home });
      expect(socket === join(home, "hub.sock")).toBe(bytes <= SOCKET_PATH_BYTES_MAX);
      expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(SOCKET_PATH_BYTES_MAX);
    },
  );

  it("count bytes, not characters", () => {
    const { socket } = at({ ATLASBRIDGE_HOME: `/${"ä".repeat(60)}` });
    expect(socket).toMatch(/^\/tmp\//);
  });

  it("fall back to /tmp when even TMPDIR is too deep for a socket", () => {
    expect(at({}, `/${"deep/".repeat(20)}`).socket).toMatch(/^\/tmp\/atlasbridge-1000\//);
  });
});

describe("private directories", () => {
  let folder: string;
  const uid = process.getuid?.() ?? 0;
  const readMode = (path: string): number => statSync(path).mode & 0o777;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "atb-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("are made for their owner only", () => {
    const made = join(folder, "a", "b");
    ensurePrivateDirectory(made);
    expect(readMode(made)).toBe(0o700);
  });

  it("that others could read are closed", () => {
    chmodSync(folder, 0o755);
    ensurePrivateDirectory(folder);
    expect(readMode(folder)).toBe(0o700);
  });

  it("that others could write to are refused as they are", () => {
    chmodSync(folder, 0o777);
    expect(() => ensurePrivateDirectory(folder)).toThrow(/may be written to by others/);
    expect(readMode(folder)).toBe(0o777);
  });

  it("that are more than ours are not closed to others, and refused while they are open", () => {
    mkdirSync(join(folder, "somebody"));
    mkdirSync(join(folder, "logs"));
    chmodSync(folder, 0o755);
    expect(() => ensurePrivateDirectory(folder)).toThrow(/cannot be closed because it contains somebody/);
    expect(readMode(folder)).toBe(0o755);
    chmodSync(folder, 0o700);
    expect(() => ensurePrivateDirectory(folder)).not.toThrow();
  });

  it("of somebody else are refused", () => {
    expect(() => ensurePrivateDirectory(folder, uid + 1)).toThrow(/belongs to user/);
  });

  it("behind a symbolic link are refused", () => {
    mkdirSync(join(folder, "real"), { mode: 0o700 });
    symlinkSync(join(folder, "real"), join(folder, "link"));
    expect(() => ensurePrivateDirectory(join(folder, "link"))).toThrow(/symbolic link/);
  });

  it("where a file is are an error with a hint", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => ensurePrivateDirectory(join(folder, "file"))).toThrow(/cannot be created/);
  });
});

describe("the hub's address", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "atb-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const paths = (env: Record<string, string>) =>
    resolvePaths({ env, userHome: folder, tmpDir: join(folder, "tmp"), uid: process.getuid?.() ?? 0 });

  it("is found from an environment that would have put the socket elsewhere", () => {
    const runtime = join(folder, "run");
    const hub = paths({ XDG_RUNTIME_DIR: runtime });
    ensurePrivateDirectory(hub.dataDir);
    ensurePrivateDirectory(join(runtime, "atlasbridge"));
    writeHubAddress(hub);
    const client = paths({});
    expect(client.socket).not.toBe(hub.socket);
    expect(listHubSockets(client)[0]).toBe(hub.socket);
  });

  it("is this environment's own when no hub has named one, or named nonsense", () => {
    const client = paths({});
    ensurePrivateDirectory(join(client.socket, ".."));
    expect(listHubSockets(client)).toEqual([client.socket]);
    ensurePrivateDirectory(client.dataDir);
    writeFileSync(client.hubAddress, "not/absolute\n");
    expect(listHubSockets(client)).toEqual([client.socket]);
  });

  it("is looked for in this environment's own place as well, as the named one may be wrong", () => {
    const client = paths({});
    for (const folder of [client.dataDir, join(client.socket, "..")]) ensurePrivateDirectory(folder);
    const named = join(client.dataDir, "other.sock");
    writeFileSync(client.hubAddress, `${named}\n`);
    expect(listHubSockets(client)).toEqual([named, client.socket]);
    writeFileSync(client.hubAddress, "/not/there/hub.sock\n");
    expect(listHubSockets(client)).toEqual([client.socket]);
  });

  it("is none before its folder exists, as another user could create that folder first", () => {
    expect(() => listHubSockets(paths({}))).toThrow(/no hub is running/);
  });

  it("is refused when its folder could be somebody else's", () => {
    const client = paths({});
    mkdirSync(join(client.socket, ".."), { recursive: true });
    chmodSync(join(client.socket, ".."), 0o777);
    expect(() => listHubSockets(client)).toThrow(/may be written to by others/);
  });
});

describe("a user without a home", () => {
  const nowhere = (env: Record<string, string>) =>
    resolvePaths({ env, userHome: null, tmpDir: "/tmp", uid: 4711 });

  it("gets one below TMPDIR that nobody else can move", () => {
    expect(nowhere({})).toMatchObject({
      home: "/tmp/atlasbridge-home-4711",
      config: "/tmp/atlasbridge-home-4711/config.yaml",
      database: "/tmp/atlasbridge-home-4711/atlasbridge.db",
      socket: "/tmp/atlasbridge-home-4711/hub.sock",
    });
  });

  it("has the one that it names", () => {
    expect(nowhere({ ATLASBRIDGE_HOME: "/srv/ab" }).home).toBe("/srv/ab");
  });
});
