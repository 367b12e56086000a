/**
 * A newer version replaces the hub by its `run`, its `hub start` or its commands. Sessions of both versions go on, and an answer
 * that is on its way is finished first.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HubHello } from "../../src/client/connect/meet-hub.js";
import { EXIT } from "../../src/model/errors.js";
import type { ListedSession } from "../../src/wire/listings.js";
import { PROTOCOL_VERSION } from "../../src/wire/messages.js";
import { EchoRun } from "../support/echo-run.js";
import { FakeWorker } from "../support/fake-worker.js";
import { eventually, finished, HubHome, MAIN, type Finished } from "../support/hub-home.js";
import { RealTerminal } from "../support/real-cli/terminal.js";
import { makeProgram } from "../support/other-program.js";

/** Later than any version that this package will have while these tests live. */
const NEWER = "99.0.0";
const NEWEST = "99.1.0";
const LATER_PROTOCOL = PROTOCOL_VERSION + 1;

describe("a newer version of the program", () => {
  const programs = new HubHome();
  let newer = "";
  let newest = "";
  beforeAll(() => {
    newer = makeProgram({ version: NEWER }, programs.folder);
    newest = makeProgram(
      { version: NEWEST, protocols: { oldest: LATER_PROTOCOL, newest: LATER_PROTOCOL } },
      programs.folder,
    );
  });
  afterAll(() => programs.close());

  it("replaces the hub by its `run`, and sessions of both versions go on", () =>
    withHome(async (home) => {
      const old = await connectedRun(home, "old");
      const before = await home.hub();
      const young = await connectedRun(home, "young", newer);
      const after = await reachHub(home, NEWER);
      expect(after.pid).not.toBe(before?.pid);
      await connected(home, newer, 2);
      await Promise.all([old.answers(), young.answers()]);
      expect(await Promise.all([old.end(), young.end()])).toEqual([0, 0]);
    }));

  it("replaces the hub by its `hub start`, and says so", () =>
    withHome(async (home) => {
      const old = await connectedRun(home, "old");
      const { version } = (await home.hub())!;
      const { code, stdout } = await runProgram(home, newer, "hub", "start");
      expect(stdout).toMatch(new RegExp(`version ${NEWER} replaced ${version.replaceAll(".", "\\.")}`));
      expect(code).toBe(0);
      await connected(home, newer, 1);
      await old.answers();
    }));

  it("replaces a service's hub in a way that has its manager start it again", () =>
    withHome(async (home) => {
      const service = home.start("hub", "start", "--foreground", "--service");
      await eventually(() => home.hubPid());
      const ended = finished(service);
      await runProgram(home, newer, "hub", "start");
      expect(await ended).toMatchObject({ code: EXIT.replaced });
    }));

  it("lets the hub finish the answer that is being typed", () =>
    withHome(async (home) => {
      const worker = new FakeWorker(home.paths);
      try {
        worker.hold();
        const shortId = await worker.raise();
        const answered = home.run("answer", shortId, "2", "--wait");
        await eventually(() => worker.replies.length === 1);
        const before = (await home.hub())!;
        const started = runProgram(home, newer, "hub", "start");
        await eventually(() => hubLog(home).includes('"reason":"outdated"') && worker.begun === 1);
        // Asked to make way it serves on, as long as the answer is under way.
        expect((await home.hub())?.pid).toBe(before.pid);
        worker.release();
        expect(await answered).toMatchObject({ code: 0 });
        expect((await started).stdout).toContain(NEWER);
        expect(worker.replies).toHaveLength(1);
      } finally {
        worker.close();
      }
    }));

  it("serves later sessions of the older version, and is not replaced by them", () =>
    withHome(async (home) => {
      await runProgram(home, newer, "hub", "start");
      const before = await home.hub();
      const old = await connectedRun(home, "old");
      expect((await home.run("hub", "start")).stdout).toMatch(/^The hub was already running/);
      expect(await home.hub()).toEqual(before);
      await old.answers();
    }));

  it("that no longer understands the older version leaves its tools alone, and its people are notified", () =>
    withHome(async (home) => {
      const env = { ...(home.env as Record<string, string>), TERM: "xterm" };
      const run = [
        process.execPath,
        MAIN,
        "run",
        "--label",
        "old",
        "sh",
        "-c",
        "read -r line; echo heard $line",
      ];
      // As in a person's shell, the terminal is still there when the command has ended.
      const args = ["-c", '"$0" "$@"; echo "exit code $?"; read -r line', ...run];
      const old = new RealTerminal({ file: "sh", args, cwd: home.folder, env });
      await connected(home, MAIN, 1);
      const young = await connectedRun(home, "young", newest);
      await reachHub(home, NEWEST);
      await eventually(async () => {
        const sessions = await listSessions(home, newest, "sessions", "--all");
        const known = sessions.find(({ label }) => label === "old");
        return known?.state === "not_relayed" && known.endedAt === null && !known.connected;
      });
      // The command of the older version says the same.
      expect(await home.run("prompts")).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/ATB_WIRE_TOO_OLD/) as string,
      });
      await young.answers();
      old.press("you\r");
      await old.waitFor(/heard you\s+atlasbridge: this session was no longer relayed[^]*exit code 0/);
      await old.close();
    }));

  it("has its commands replace a hub that does not understand them", () =>
    withHome(async (home) => {
      await home.run("hub", "start");
      expect(await runProgram(home, newest, "prompts")).toMatchObject({ code: 0 });
      await reachHub(home, NEWEST);
    }));
});

async function withHome(work: (home: HubHome) => Promise<void>): Promise<void> {
  const home = new HubHome();
  try {
    await work(home);
  } finally {
    await home.close();
  }
}

function runProgram(home: HubHome, main: string, ...args: string[]): Promise<Finished> {
  return finished(home.startProgram(main, ...args));
}

function reachHub(home: HubHome, version: string): Promise<HubHello> {
  return eventually(async () => {
    const hub = await home.hub();
    return hub?.version === version && hub;
  });
}

async function connectedRun(home: HubHome, label: string, main = MAIN): Promise<EchoRun> {
  const run = new EchoRun(home, label, main);
  await run.ready();
  await eventually(async () =>
    (await listSessions(home, main)).some((session) => session.label === label && session.connected),
  );
  return run;
}

async function connected(home: HubHome, main: string, count: number): Promise<void> {
  await eventually(
    async () => (await listSessions(home, main)).filter((session) => session.connected).length === count,
  );
}

async function listSessions(
  home: HubHome,
  main: string,
  ...command: string[]
): Promise<readonly ListedSession[]> {
  const asked = command.length > 0 ? command : ["status"];
  const { stdout } = await runProgram(home, main, ...asked, "--json");
  const { data } = JSON.parse(stdout) as { data?: ListedSession[] | { sessions: ListedSession[] } };
  return Array.isArray(data) ? data : (data?.sessions ?? []);
}

function hubLog(home: HubHome): string {
  return readFileSync(home.paths.hubLog, "utf8");
}
