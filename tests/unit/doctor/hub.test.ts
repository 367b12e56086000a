/** `doctor` tells a hub on the socket from a dead, hung or foreign one, and shows its version and load. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askHub, checkHub, type HubFacts } from "../../../src/doctor/hub.js";
import { ensureHubSecret } from "../../../src/config/hub-secret.js";
import { resolvePaths, type Paths } from "../../../src/config/paths.js";
import { ManualClock, systemClock } from "../../../src/observe/clock.js";
import type { HubStatus } from "../../../src/wire/listings.js";
import { PROTOCOL_VERSION } from "../../../src/wire/messages.js";
import { helloProof } from "../../support/proven.js";

const STATUS: HubStatus = {
  pid: 7,
  version: "1.2.3",
  protocol: 1,
  startedAt: "2026-01-01T00:00:00.000Z",
  sessions: 2,
  openPrompts: 1,
  unanswered: [],
  paused: false,
  unreached: null,
  disk: { usedBytes: 0, limitBytes: 1, full: false },
  channels: [],
};

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly challenge?: string };
}

describe("what doctor finds on the hub's socket", () => {
  let folder = "";
  let paths: Paths;
  let secret: Buffer;
  let server: Server | null = null;
  const sockets = new Set<Socket>();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "doctor-hub-"));
    paths = resolvePaths({ env: { ATLASBRIDGE_HOME: folder }, userHome: folder, tmpDir: folder, uid: 0 });
    secret = ensureHubSecret(paths);
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
    server = null;
    rmSync(folder, { recursive: true });
  });

  const serve = (answer: (socket: Socket) => void): Promise<void> => {
    const made = createServer((socket) => {
      sockets.add(socket);
      // Whoever finds that it is no hub hangs up before it has read everything.
      socket.on("error", () => undefined);
      answer(socket);
    });
    server = made;
    return new Promise((resolve) => made.listen(paths.socket, resolve));
  };

  it("is reported as no hub where none ever ran", async () => {
    expect(await askHub(paths, systemClock)).toEqual({ kind: "none", socket: paths.socket });
    rmSync(folder, { recursive: true });
    expect((await askHub(paths, systemClock)).kind).toBe("none");
    mkdirSync(folder);
  });

  it("is warned of while it still uses an earlier configuration, and not where that is not known", () => {
    const check = (status: HubStatus, configDigest: string | null) =>
      checkHub(
        { kind: "serves", socket: paths.socket, status, sessions: [] },
        { version: "1.2.3", paths, configDigest },
      );
    const earlier = expect.objectContaining({
      state: "warn",
      found: "the running hub still uses an earlier configuration or earlier rules",
    }) as unknown;
    expect(check({ ...STATUS, configDigest: "a" }, "b")).toContainEqual(earlier);
    for (const [status, now] of [
      [{ ...STATUS, configDigest: "a" }, "a"],
      [{ ...STATUS, configDigest: "a" }, null],
      [STATUS, "b"],
    ] as const)
      expect(check(status, now)).not.toContainEqual(earlier);
  });

  it("is reported as the rest of a dead hub", async () => {
    writeFileSync(paths.socket, "");
    expect((await askHub(paths, systemClock)).kind).toBe("left");
  });

  /** Answers as a hub that speaks these protocols. */
  const asHub = (protocol: number, oldest: number) => (socket: Socket) =>
    socket.on("data", (line: Buffer) => {
      const { id, method, params } = JSON.parse(line.toString()) as Request;
      const proof = params.challenge === undefined ? {} : helloProof(secret, params.challenge);
      const hello = { protocol, oldest, version: "9.9.9", pid: 7, ...proof };
      const result = { "hub.hello": hello, "hub.prove": {}, "sessions.list": [] }[method] ?? STATUS;
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
    });

  it.each([
    ["older than we understand", 0, 0, "ATB_WIRE_VERSION"],
    ["newer than it understands us", PROTOCOL_VERSION + 1, PROTOCOL_VERSION + 1, "ATB_WIRE_TOO_OLD"],
  ])("is a hub %s", async (_, protocol, oldest, code) => {
    await serve(asHub(protocol, oldest));
    const facts = await askHub(paths, systemClock);
    expect(facts).toMatchObject({ kind: "other_version", error: { code } });
    expect(checkHub(facts, { version: "1.2.3", paths })[1]).toMatchObject({
      name: "hub",
      state: "fail",
      found: expect.stringContaining(code) as string,
    });
  });

  it("is reported as a hub", async () => {
    await serve(asHub(PROTOCOL_VERSION, PROTOCOL_VERSION));
    expect(await askHub(paths, systemClock)).toEqual({
      kind: "serves",
      socket: paths.socket,
      status: STATUS,
      sessions: [],
    });
  });

  it("is no healthy hub while its prompts reach nobody, although a channel is configured", () => {
    const local = { id: "cli", state: "connected", approvers: ["you"], refused: [] } as const;
    const telegram = { id: "telegram", state: "connected", approvers: ["Ara"], refused: [] } as const;
    const unreached = "the ledger takes no commit (SQLITE_FULL)";
    const check = (status: Partial<HubStatus>) =>
      checkHub(
        { kind: "serves", socket: paths.socket, status: { ...STATUS, ...status }, sessions: [] },
        { version: "1.2.3", paths },
      );
    expect(check({ unreached, channels: [local as never, telegram as never] })).toContainEqual(
      expect.objectContaining({
        name: "hub",
        state: "fail",
        found: `prompts reach nobody away from this machine: ${unreached}`,
      }),
    );
    expect(
      check({ unreached: "no channel is configured", channels: [local as never] }).every(
        ({ state }) => state !== "fail",
      ),
    ).toBe(true);
  });

  it.each([
    ["another program", (socket: Socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["one that hangs up", (socket: Socket) => socket.end()],
    [
      "one that answers something else",
      (socket: Socket) =>
        socket.on("data", (line: Buffer) => {
          const { id } = JSON.parse(line.toString()) as { id: number };
          socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { some: "thing" } })}\n`);
        }),
    ],
  ])("is %s", async (_, answer) => {
    await serve((socket) => {
      answer(socket);
      if (!socket.writableEnded) setImmediate(() => socket.end());
    });
    expect((await askHub(paths, systemClock)).kind).toBe("foreign");
  });

  it("is reported as a hub that hangs", async () => {
    const clock = new ManualClock();
    await serve((socket) => socket.on("data", () => clock.advance(60_000)));
    expect((await askHub(paths, clock)).kind).toBe("silent");
  });

  it("is not looked at where others could have put it", async () => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder, { mode: 0o777 });
    chmodSync(folder, 0o777);
    const facts = await askHub(paths, systemClock);
    expect(checkHub(facts, { version: "1.2.3", paths })).toMatchObject([
      { name: "socket", state: "fail", found: expect.stringContaining("ATB_SOCKET_UNSAFE") as string },
    ]);
  });
});

describe("what doctor says of the hub", () => {
  const socket = "/run/user/1000/atlasbridge/hub.sock";
  const tell = (facts: HubFacts, version = "1.2.3") =>
    checkHub(facts, { version, paths: { socket, home: null, hubLog: "/log" } });

  it.each([
    [{ kind: "none", socket }, "ok"],
    [{ kind: "left", socket }, "ok"],
    [{ kind: "closed", socket, code: "EACCES" }, "fail"],
    [{ kind: "silent", socket }, "fail"],
    [{ kind: "foreign", socket, problem: "x" }, "fail"],
  ] as const)("%j is %s", (facts, state) => {
    const [finding, ...more] = tell(facts);
    expect(finding).toMatchObject({ name: "socket", state });
    expect(finding?.action === null).toBe(state === "ok");
    expect(more).toEqual([]);
  });

  it("names the load of a hub of our version, and another version", () => {
    const facts = { kind: "serves", socket, status: STATUS, sessions: [] } as const;
    expect(tell(facts)[1]).toMatchObject({
      name: "hub",
      state: "ok",
      found: "version 1.2.3, process 7: 2 sessions, 1 open prompts",
    });
    expect(tell(facts, "1.3.0")[1]).toMatchObject({
      state: "warn",
      found: "the hub has version 1.2.3, this program 1.3.0",
    });
  });

  it("says why the socket is not where everything else is", () => {
    const home = `/home/${"deep/".repeat(30)}`;
    const [finding] = checkHub(
      { kind: "none", socket },
      { version: "1", paths: { socket, home, hubLog: "/log" } },
    );
    expect(finding?.found).toContain("longer than the 100 bytes");
  });
});
