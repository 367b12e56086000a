/**
 * A hub that is stopped leaves the tools of its sessions alone, and only `run` or `hub start` starts it again. A hub of a service
 * manager takes over from the serving one and leaves another service's hub alone.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HubOverview } from "../../src/client/manage-hub.js";
import { EchoRun } from "../support/echo-run.js";
import { eventually, finished, HubHome } from "../support/hub-home.js";

describe("a hub that is stopped while sessions run", () => {
  let home: HubHome;
  beforeEach(() => (home = new HubHome()));
  afterEach(() => home.close());

  const look = (): Promise<HubOverview> => home.data<HubOverview>("status");
  const areBack = async (count: number): Promise<boolean> =>
    (await look()).sessions.filter(({ connected }) => connected).length === count;

  it("leaves the tools alone, says which sessions it left, and relays them when it is started again", async () => {
    const runs = ["one", "two"].map((label) => new EchoRun(home, label));
    await Promise.all(runs.map((run) => run.ready()));
    await eventually(() => areBack(2));

    const stopped = await home.run("hub", "stop");
    expect(stopped.stdout).toMatch(
      /^The hub has stopped \(process \d+\)\. 2 sessions keep running without being relayed; `atlasbridge hub start` relays them again\.\n$/,
    );
    await Promise.all(runs.map((run) => run.answers()));
    expect(await look()).toMatchObject({ hub: null, sessions: [], stopped: { sessions: [{}, {}] } });
    const { stdout } = await home.run("status");
    expect(stdout).toMatch(/^No hub is running: it was stopped \d+ s ago\. 2 sessions keep running/);
    expect(stdout).toMatch(/ sh \(one\) · not relayed · process \d+\n/);

    const [first, second] = runs as [EchoRun, EchoRun];
    expect(await second.end()).toBe(0);
    expect((await look()).stopped?.sessions).toMatchObject([{ label: "one" }]);

    expect((await home.run("hub", "start")).code).toBe(0);
    await eventually(() => areBack(1));
    expect((await look()).stopped).toBeNull();
    await first.answers();
    expect(await first.end()).toBe(0);
  });

  it.each([["sessions"], ["prompts"], ["prompts", "--reveal", "k7"]])(
    "is not started by a command that only reads: %s %s %s",
    async (...command) => {
      await home.run("hub", "start");
      await home.run("hub", "stop");
      const { code, stdout, stderr } = await home.run(...command.filter(Boolean));
      expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
      expect(stderr).toContain("no hub is running: it was stopped");
      expect(await home.hubPid()).toBeNull();
    },
  );

  it("is started again by the next run, and the other sessions connect to it", async () => {
    const first = new EchoRun(home, "first");
    await eventually(() => areBack(1));
    await home.run("hub", "stop");
    const second = new EchoRun(home, "second");
    await eventually(() => areBack(2));
    await Promise.all([first.answers(), second.answers()]);
  });

  it("ends on a service manager's signal without a message, and workers wait for the next hub", async () => {
    const service = home.start("hub", "start", "--foreground", "--service");
    await eventually(() => home.hubPid());
    const run = new EchoRun(home, "run");
    await eventually(() => areBack(1));
    service.kill("SIGTERM");
    expect(await finished(service)).toMatchObject({ code: 0 });
    expect(await look()).toMatchObject({ hub: null, stopped: { sessions: [{ label: "run" }] } });
    await run.answers();
  });
});

describe("a hub that a service manager starts", () => {
  let home: HubHome;
  beforeEach(() => (home = new HubHome()));
  afterEach(() => home.close());

  it("takes over from the one that serves, with its sessions", async () => {
    const run = new EchoRun(home, "run");
    const before = await eventually(() => home.hubPid());
    const service = home.start("hub", "start", "--foreground", "--service");
    await eventually(async () => (await home.hubPid()) === service.pid);
    expect(service.pid).not.toBe(before);
    await eventually(async () => (await home.data<HubOverview>("status")).sessions[0]?.connected === true);
    await run.answers();
  });

  it("leaves another service's hub alone, and says so", async () => {
    const first = home.start("hub", "start", "--foreground", "--service");
    await eventually(() => home.hubPid());
    const second = await finished(home.start("hub", "start", "--foreground", "--service"));
    expect(second).toMatchObject({ code: 0, stderr: "atlasbridge: another hub is already running\n" });
    expect(await home.hubPid()).toBe(first.pid);
  });
});
