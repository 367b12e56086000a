/**
 * Of several hubs that start at once exactly one serves, also over the stale socket and lock of a killed hub. A worker that loses
 * the hub starts the next one and keeps its open prompt.
 */
import { existsSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeWorker } from "../support/fake-worker.js";
import { eventually, finished, HubHome } from "../support/hub-home.js";
import type { ListedSession } from "../../src/wire/listings.js";

describe("the election of a hub", () => {
  let home: HubHome;
  beforeEach(() => (home = new HubHome()));
  afterEach(() => home.close());

  it("leaves one of ten that start at once, and the others exit without an error", async () => {
    const hubs = Array.from({ length: 10 }, () => home.start("hub", "start", "--foreground"));
    const ended: number[] = [];
    const results = hubs.map(async (hub) => {
      const { code, stderr } = await finished(hub);
      ended.push(hub.pid ?? 0);
      return { code, stderr };
    });
    await eventually(() => ended.length === 9);
    const serving = await eventually(() => home.hubPid());
    expect(hubs.map(({ pid }) => pid).filter((pid) => !ended.includes(pid ?? 0))).toEqual([serving]);
    process.kill(serving, "SIGTERM");
    expect(await Promise.all(results)).toEqual(Array.from({ length: 10 }, () => ({ code: 0, stderr: "" })));
  });

  it("replaces a hub that was killed, over its stale socket and lock", async () => {
    const first = home.start("hub", "start", "--foreground");
    const firstPid = await eventually(() => home.hubPid());
    first.kill("SIGKILL");
    await finished(first);
    expect(existsSync(home.paths.socket)).toBe(true);
    const { code, stdout } = await home.run("hub", "start");
    expect(stdout).toMatch(/^The hub is running/);
    expect(code).toBe(0);
    expect(await home.hubPid()).not.toBe(firstPid);
  });

  it("waits for a hub that is still ending", async () => {
    await home.run("hub", "start");
    const pid = await eventually(() => home.hubPid());
    process.kill(pid, "SIGTERM");
    const next = await home.run("hub", "start");
    expect(next.code).toBe(0);
    await eventually(async () => ![null, pid].includes(await home.hubPid()));
  });

  it("makes files for the owner alone, and a hub removes its socket when it ends", async () => {
    await home.run("hub", "start");
    const { paths } = home;
    for (const file of [paths.socket, paths.database, paths.hubLog, paths.hubLock, paths.hubAddress])
      expect(statSync(file).mode & 0o077, file).toBe(0);
    expect((await home.run("hub", "stop")).code).toBe(0);
    expect(existsSync(paths.socket)).toBe(false);
  });
});

describe("a worker", () => {
  let home: HubHome;
  let worker: FakeWorker;
  beforeEach(() => {
    home = new HubHome();
    worker = new FakeWorker(home.paths);
  });
  afterEach(async () => {
    worker.close();
    await home.close();
  });

  const isConnected = (): boolean => worker.link.state === "connected";
  const sessions = (): Promise<ListedSession[]> => home.data("sessions");

  it("starts the hub, and starts it again after kill -9, and is the same session to it", async () => {
    await eventually(isConnected);
    for (let round = 0; round < 2; round += 1) {
      const before = await eventually(() => home.hubPid());
      process.kill(before, "SIGKILL");
      await eventually(async () => isConnected() && ![null, before].includes(await home.hubPid()));
    }
    expect(await sessions()).toMatchObject([{ sessionId: worker.sessionId, connected: true }]);
  });

  it("keeps its open question across the death of the hub", async () => {
    const shortId = await worker.raise();
    process.kill(await eventually(() => home.hubPid()), "SIGKILL");
    await eventually(() => worker.states.includes("lost") && isConnected());
    expect((await home.run("answer", shortId, "2", "--wait")).code).toBe(0);
    expect(worker.replies).toMatchObject([{ value: "2" }]);
  });

  it("starts no hub beside a service that its manager stopped", async () => {
    await eventually(isConnected);
    const { hubStarts } = worker;
    await home.run("hub", "stop");
    // Until then the link still counts as connected, to the hub that has stopped.
    await eventually(() => worker.link.state === "lost");
    const service = home.start("hub", "start", "--foreground", "--service");
    await eventually(isConnected);
    service.kill("SIGTERM");
    expect(await finished(service)).toMatchObject({ code: 0 });
    await eventually(() => worker.link.state === "lost");
    expect(worker.hubStarts).toBe(hubStarts);
  });

  it("starts no hub that a person has stopped, and connects to the next one", async () => {
    await eventually(isConnected);
    const { hubStarts } = worker;
    expect((await home.run("hub", "stop")).code).toBe(0);
    await eventually(() => worker.link.state === "lost");
    expect((await home.run("hub", "start")).code).toBe(0);
    await eventually(isConnected);
    expect(worker.hubStarts).toBe(hubStarts);
  });
});
