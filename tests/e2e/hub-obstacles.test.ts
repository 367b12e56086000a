/** The hub repairs what stands in its way in its home where it can, names the rest, and the tool runs in any case. */
import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Diagnosis } from "../../src/doctor/check.js";
import type { HubOverview } from "../../src/client/manage-hub.js";
import { ensureHubDirectories } from "../../src/config/private-files.js";
import type { ListedSession } from "../../src/wire/listings.js";
import { EchoRun } from "../support/echo-run.js";
import { eventually, HubHome, type HubHomeOptions } from "../support/hub-home.js";
import { noOtherUser, OTHER_UID } from "../support/other-user.js";
import { skipped } from "../support/skipped.js";

/** Longer than any socket's path may be. */
const DEEP = join("deep".repeat(20), "deeper".repeat(20));

async function withHome(work: (home: HubHome) => Promise<void>, options?: HubHomeOptions): Promise<void> {
  const home = new HubHome(options);
  try {
    await work(home);
  } finally {
    await home.close();
  }
}

async function connectedLabels(home: HubHome): Promise<string[]> {
  const { sessions } = await home.data<{ sessions: readonly ListedSession[] }>("status");
  return sessions.filter(({ connected }) => connected).map(({ label }) => label ?? "");
}

async function start(home: HubHome, label: string): Promise<EchoRun> {
  const run = new EchoRun(home, label);
  await run.ready();
  await eventually(async () => (await connectedLabels(home)).includes(label));
  return run;
}

/** The hub does not start, for a reason that people can read. */
async function expectNamed(home: HubHome, reason: string): Promise<void> {
  const { code, stderr } = await home.run("hub", "start");
  expect(stderr).toContain(reason);
  expect(stderr).not.toMatch(/a bug|\n {4}at /);
  expect(code).toBeGreaterThan(1);
}

/** The tool runs to its end in this home, the code is its own, and even `--quiet` says why not relayed. */
async function expectToolRuns(home: HubHome, reason: string): Promise<void> {
  const ran = await home.run("run", "--quiet", "sh", "-c", "echo ran; exit 7");
  expect(ran.code).toBe(7);
  expect(ran.stderr).toMatch(/^atlasbridge: not relayed: [^\n]+\n$/);
  expect(ran.stderr).toContain(reason);
  expect(ran.stdout).toContain("ran");
}

describe("a home whose path is too long for a socket", () => {
  it("has its socket elsewhere, and is found from environments that would look in another place", () =>
    withHome(
      async (home) => {
        const run = await start(home, "deep");
        expect(Buffer.byteLength(join(home.folder, "hub.sock"))).toBeGreaterThan(108);
        const pid = await home.hubPid();
        Object.assign(home.env, { TMPDIR: dirname(home.paths.socket), XDG_RUNTIME_DIR: "/nowhere" });
        expect((await home.data<HubOverview>("status")).hub?.pid).toBe(pid);
        expect((await home.run("hub", "start")).stdout).toMatch(/already/);
        await run.answers();
      },
      { inside: DEEP },
    ));

  it("never shares its socket with another home", () =>
    withHome(
      (one) =>
        withHome(
          async (other) => {
            await Promise.all([start(one, "one"), start(other, "other")]);
            expect(await Promise.all([one, other].map(connectedLabels))).toEqual([["one"], ["other"]]);
            const pids = await Promise.all([one, other].map((home) => home.hubPid()));
            expect(pids[0]).not.toBe(pids[1]);
            await one.run("hub", "stop");
            expect(await connectedLabels(other)).toEqual(["other"]);
          },
          { inside: DEEP },
        ),
      { inside: DEEP },
    ));
});

describe("in the place of the hub's files", () => {
  it("a socket of another program is replaced, also when a session found it first", () =>
    withHome(async (home) => {
      const stranger = await listenAs(home);
      try {
        const run = new EchoRun(home, "first");
        await run.ready();
        await eventually(async () => (await connectedLabels(home)).includes("first"));
        await run.answers();
      } finally {
        stranger.close();
      }
    }));

  it("a lock file that is not a valid lock is repaired", () =>
    withHome(async (home) => {
      writeFileSync(home.paths.hubLock, "x".repeat(5_000), { mode: 0o600 });
      expect((await home.run("hub", "start")).code).toBe(0);
      expect((await home.run("hub", "start")).stdout).toMatch(/already/);
    }));

  it.each([
    ["hubLock", "cannot be locked"],
    ["socket", "is not a socket"],
    ["hubLog", "cannot be opened"],
    ["database", "could not be read or written"],
  ] as const)("a directory (%s) is named", (name, words) =>
    withHome(async (home) => {
      mkdirSync(home.paths[name], { recursive: true, mode: 0o700 });
      await expectNamed(home, `${home.paths[name]} ${words}`);
    }),
  );

  it("a file in the place of the socket is named and kept, and the tool runs", () =>
    withHome(async (home) => {
      writeFileSync(home.paths.socket, "mine");
      await expectNamed(home, "is not a socket");
      await expectToolRuns(home, "is not a socket");
      expect(readFileSync(home.paths.socket, "utf8")).toBe("mine");
    }));
});

/** Somebody else's program at the hub's socket, which says something and goes. */
async function listenAs(home: HubHome): Promise<Server> {
  ensureHubDirectories(home.paths);
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(home.paths.socket, resolve));
  return server;
}

const otherUserProblem = noOtherUser();

describe.skipIf(skipped(otherUserProblem))("files of another user", () => {
  it.each(["database", "hubLock", "hubLog", "config"] as const)("(%s) are named with their owner", (name) =>
    withHome(
      async (home) => {
        mkdirSync(home.paths.logsDir, { mode: 0o700 });
        chownSync(home.paths.logsDir, OTHER_UID, OTHER_UID);
        writeFileSync(home.paths[name], "", { mode: 0o600 });
        await expectNamed(home, "it belongs to user 0, and this is user 65534");
      },
      { uid: OTHER_UID },
    ),
  );

  it("in the place of a directory are not touched, and the tool runs", () =>
    withHome(
      async (home) => {
        mkdirSync(home.paths.logsDir, { mode: 0o700 });
        const reason = `${home.paths.logsDir} belongs to user 0, not to 65534`;
        await expectNamed(home, reason);
        await expectToolRuns(home, reason);
      },
      { uid: OTHER_UID },
    ));

  it("in the places of the hub's notes are replaced", () =>
    withHome(
      async (home) => {
        for (const note of [home.paths.hubAddress, home.paths.hubStarting, home.paths.hubStopped]) {
          writeFileSync(note, "", { mode: 0o600 });
          chownSync(note, 0, 0);
        }
        expect((await home.run("hub", "start")).code).toBe(0);
      },
      { uid: OTHER_UID },
    ));
});

describe.skipIf(skipped(otherUserProblem))("a home that this user may not enter", () => {
  it("is named by every command, and the tool runs", () =>
    withHome(
      async (home) => {
        const locked = join(home.folder, "locked");
        mkdirSync(join(locked, "home"), { recursive: true, mode: 0o700 });
        Object.assign(home.env, { ATLASBRIDGE_HOME: join(locked, "home") });
        for (const command of [["status"], ["prompts"], ["hub", "start"], ["hub", "logs"]]) {
          const { code, stderr } = await home.run(...command);
          expect(stderr).toContain(`${locked} belongs to user 0, and this is user 65534 (ATB_FILE_DENIED)`);
          expect(code).toBe(5);
        }
        const told = JSON.parse((await home.run("doctor", "--json")).stdout) as { data: Diagnosis };
        expect(JSON.stringify(told)).not.toContain("this check itself failed");
        expect(told.data.state).toBe("fail");
        const ran = await home.run("run", "sh", "-c", "exit 7");
        expect(ran).toMatchObject({
          code: 7,
          stderr: expect.stringContaining("not relayed: ") as string,
        });
        Object.assign(home.env, { ATLASBRIDGE_HOME: home.folder });
      },
      { uid: OTHER_UID },
    ));
});

describe.skipIf(skipped(otherUserProblem))("a user without an account and HOME", () => {
  it("has a hub and sessions all the same", () =>
    withHome(
      async (home) => {
        for (const name of ["HOME", "ATLASBRIDGE_HOME", "XDG_RUNTIME_DIR"])
          Reflect.deleteProperty(home.env, name);
        Object.assign(home.env, { TMPDIR: home.folder });
        const run = await start(home, "homeless");
        await run.answers();
        expect((await home.data<Diagnosis>("doctor")).state).not.toBe("fail");
        expect((await home.run("hub", "stop")).code).toBe(0);
        await run.end();
      },
      { uid: 54_321 },
    ));
});

/** Why no small disk can be had here; null when it can. */
function noDisk(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "needs root on Linux, to mount a small disk";
  const home = new HubHome();
  const tried = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", home.folder]);
  if (tried.status === 0) execFileSync("umount", [home.folder]);
  rmSync(home.folder, { recursive: true });
  return tried.status === 0 ? null : "this system mounts nothing";
}

const diskProblem = noDisk();

describe.skipIf(skipped(diskProblem))("a full disk", () => {
  it("is named, disturbs no tool, and sessions are relayed as soon as there is room", () =>
    withHome(async (home) => {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", home.folder]);
      const filler = join(home.folder, "filler");
      try {
        const { bsize, bavail } = statfsSync(home.folder);
        writeFileSync(filler, Buffer.alloc(bsize * bavail));
        await expectNamed(home, "The disk is full");
        const run = new EchoRun(home, "early");
        await run.ready();
        await run.answers();
        rmSync(filler);
        const isRelayed = async (): Promise<boolean> => (await connectedLabels(home)).includes("early");
        await eventually(isRelayed);
        await run.answers();
        expect(await run.end()).toBe(0);
        await home.run("hub", "stop");
      } finally {
        execFileSync("umount", ["-l", home.folder]);
      }
    }));
});
