/** A hub ends when it was idle for the whole time and owes nothing. A stopped hub notes the sessions that it leaves. */
import { makeTestFolder } from "../../../support/temporary-folder.js";
import { existsSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readStopNote, type LeftSession } from "../../../../src/config/hub-notes.js";
import { resolvePaths, type Paths } from "../../../../src/config/paths.js";
import { IDLE_CHECK_MS, IDLE_EXIT_MS } from "../../../../src/hub/serve/watch-idle.js";
import { serveHub } from "../../../../src/hub/serve/serve-hub.js";
import { proveHub } from "../../../../src/client/connect/approach.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { readProcessStartTime } from "../../../../src/observe/process-life.js";
import { dial } from "../../../../src/wire/dial.js";
import { HUB_CALLS } from "../../../../src/wire/messages.js";
import { Peer } from "../../../../src/wire/peer.js";
import { emptyCore, openParams } from "../../../support/empty-core.js";
import { waitFor } from "../../../support/wait-for.js";

/** The worker is this process. */
const SELF = { version: "1.0.0", pid: process.pid, pidStartTime: readProcessStartTime(process.pid) };

describe("a hub from its election to its end", () => {
  let folder: string;
  let paths: Paths;
  beforeEach(() => {
    folder = makeTestFolder("atb");
    const uid = process.getuid?.() ?? 0;
    paths = resolvePaths({ env: { ATLASBRIDGE_HOME: folder }, userHome: null, tmpDir: folder, uid });
  });

  async function serve(
    self = { version: "1.0.0", service: false },
    isIdle = () => true,
    running: readonly LeftSession[] = [],
  ) {
    const clock = new ManualClock();
    const core = { ...emptyCore(), isIdle, listRunning: () => running };
    const serving = vi.fn();
    const ended = serveHub({
      paths,
      clock,
      self,
      serving: { isRunning: () => Promise.resolve(false), askToYield: () => Promise.resolve(false) },
      openLog: () => Promise.resolve(() => undefined),
      openCore: () => Promise.resolve(core),
      onServing: serving,
    });
    await waitFor(() => expect(serving).toHaveBeenCalledOnce());
    const connect = async () => {
      const socket = await dial(paths.socket);
      const hub = new Peer(socket, { remote: HUB_CALLS, clock });
      await proveHub(hub, socket, { paths, supervises: false, place: paths.socket });
      return hub;
    };
    const isOver = async (): Promise<boolean> => {
      const later = new Promise<null>((resolve) => setImmediate(resolve, null));
      return (await Promise.race([ended, later])) !== null;
    };
    return { clock, core, ended, connect, isOver };
  }

  it("ends when nobody was connected for the whole time and nothing is owed", async () => {
    const { clock, ended } = await serve();
    clock.advance(IDLE_EXIT_MS + IDLE_CHECK_MS);
    expect(await ended).toBe("idle");
    expect(existsSync(paths.socket)).toBe(false);
    expect(readStopNote(paths)).toBeNull();
  });

  it.each([
    ["something is owed", { version: "1.0.0", service: false }, () => false],
    ["it is kept by a service manager", { version: "1.0.0", service: true }, () => true],
  ])("stays while %s", async (_, self, isIdle) => {
    const { clock, ended, connect, isOver } = await serve(self, isIdle);
    clock.advance(10 * IDLE_EXIT_MS);
    expect(await isOver()).toBe(false);
    await (await connect()).call("hub.stop", {});
    expect(await ended).toBe("asked");
  });

  it("stays while anybody is connected", async () => {
    const { clock, ended, connect, isOver } = await serve();
    const worker = await connect();
    await worker.call("session.open", { ...openParams("s1"), ...SELF });
    clock.advance(10 * IDLE_EXIT_MS);
    expect(await isOver()).toBe(false);
    worker.close();
    await worker.closed;
    await waitFor(async () => {
      clock.advance(IDLE_EXIT_MS);
      expect(await isOver()).toBe(true);
    });
    expect(await ended).toBe("idle");
  });

  it("that is stopped notes the sessions it leaves, connected or not; one that makes way drains first and notes nothing", async () => {
    const left = { sessionId: "s1", tool: "bash", label: null, pid: 1, pidStartTime: null };
    const first = await serve(undefined, undefined, [left]);
    await (await first.connect()).call("hub.stop", {});
    expect(await first.ended).toBe("asked");
    expect(readStopNote(paths)?.sessions).toEqual([left]);

    const second = await serve();
    expect(readStopNote(paths)).toBeNull();
    await (await second.connect()).call("hub.yield", { version: "1.0.1", service: false });
    expect(await second.ended).toBe("outdated");
    expect(second.core.log).toEqual(["drain", "stop"]);
    expect(readStopNote(paths)).toBeNull();
  });
});
