/** A hub restores its socket and its note when another program removes or changes them, and gives up when its directory is replaced. */
import { connect, type Socket } from "node:net";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ensureHubSecret } from "../../../../src/config/hub-secret.js";
import { resolvePaths, type Paths } from "../../../../src/config/paths.js";
import { ensureHubDirectories } from "../../../../src/config/private-files.js";
import { Entrance } from "../../../../src/hub/serve/hub-entrance.js";
import { maintainEntrance, ENTRANCE_CHECK_MS } from "../../../../src/hub/serve/maintain-entrance.js";
import { acquireHubLock } from "../../../../src/hub/serve/lock.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { waitFor } from "../../../support/wait-for.js";

describe("the place of a hub: its socket and its note", () => {
  let folder: string;
  let paths: Paths;
  let entrance: Entrance | null;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "atb-"));
    const home = join(folder, "home");
    const uid = process.getuid?.() ?? 0;
    paths = resolvePaths({ env: { ATLASBRIDGE_HOME: home }, userHome: null, tmpDir: folder, uid });
    ensureHubDirectories(paths);
    entrance = null;
  });
  afterEach(() => {
    entrance?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const reach = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(paths.socket, () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });

  async function keep(holdsLock: () => boolean = () => true) {
    const clock = new ManualClock();
    const secret = ensureHubSecret(paths);
    const accept = (socket: Socket): void => void socket.on("error", () => undefined);
    const opened = await Entrance.open({ paths, secret, accept });
    entrance = opened;
    const onDisplaced = vi.fn();
    const onTrouble = vi.fn();
    const onMended = vi.fn();
    const stop = maintainEntrance(clock, {
      holdsLock,
      findDamage: () => opened.findDamage(),
      settle: (damage) => opened.settle(damage),
      onMended,
      onDisplaced,
      onTrouble,
    });
    return { clock, stop, onDisplaced, onTrouble, onMended };
  }

  it("is left alone while all is well", async () => {
    const { clock, stop, onDisplaced } = await keep();
    clock.advance(10 * ENTRANCE_CHECK_MS);
    expect(await reach()).toBe(true);
    expect(onDisplaced).not.toHaveBeenCalled();
    stop();
    expect(clock.pending).toBe(0);
  });

  it.each([
    ["socket", () => paths.socket],
    ["address", () => paths.hubAddress],
  ])("is taken again when somebody removed its %s", async (_, path) => {
    const { clock } = await keep();
    rmSync(path());
    clock.advance(ENTRANCE_CHECK_MS);
    await waitFor(() => expect(existsSync(path())).toBe(true));
    await waitFor(async () => expect(await reach()).toBe(true));
    // And it goes on looking.
    rmSync(path());
    await waitFor(() => expect(clock.pending).toBe(1));
    clock.advance(ENTRANCE_CHECK_MS);
    await waitFor(() => expect(existsSync(path())).toBe(true));
  });

  it.each([
    ["address", "address", () => paths.hubAddress, "/somewhere/else.sock\n"],
    ["secret", "secret", () => paths.hubSecret, `${"0".repeat(64)}\n`],
  ] as const)(
    "is corrected when another program wrote another %s, and that is reported",
    async (_, damage, path, other) => {
      const { clock, onMended } = await keep();
      const own = readFileSync(path(), "utf8");
      writeFileSync(path(), other);
      clock.advance(ENTRANCE_CHECK_MS);
      await waitFor(() => expect(readFileSync(path(), "utf8")).toBe(own));
      expect(onMended.mock.calls).toEqual([[damage]]);
    },
  );

  it("is tried again later when it cannot be taken now", async () => {
    const { clock, onTrouble } = await keep();
    rmSync(paths.socket);
    mkdirSync(paths.socket);
    clock.advance(ENTRANCE_CHECK_MS);
    await waitFor(() => expect(onTrouble).toHaveBeenCalledOnce());
    expect(onTrouble.mock.calls[0]?.[0]).toMatchObject({ code: "ATB_SOCKET_UNSAFE" });
    rmdirSync(paths.socket);
    await waitFor(() => expect(clock.pending).toBe(1));
    clock.advance(ENTRANCE_CHECK_MS);
    await waitFor(async () => expect(await reach()).toBe(true));
  });

  it("is given up when its directory is no longer the one that it has locked", async () => {
    const lock = acquireHubLock(paths.hubLock)!;
    try {
      const { clock, onDisplaced } = await keep(() => lock.isInPlace());
      clock.advance(ENTRANCE_CHECK_MS);
      expect(onDisplaced).not.toHaveBeenCalled();
      await waitFor(() => expect(clock.pending).toBe(1));
      rmSync(paths.dataDir, { recursive: true });
      mkdirSync(paths.dataDir, { mode: 0o700 });
      // The one who is elected in the new directory holds another lock.
      const other = acquireHubLock(paths.hubLock);
      expect(other).not.toBeNull();
      clock.advance(ENTRANCE_CHECK_MS);
      expect(onDisplaced).toHaveBeenCalledOnce();
      expect(clock.pending).toBe(0);
      other?.release();
    } finally {
      lock.release();
    }
  });
});
