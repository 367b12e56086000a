/** The process at the other end of a connection, or behind a port, is the tool only when the system says so. */
import { makeTestFolder } from "../../../support/temporary-folder.js";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { endianness } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { SocketHolder } from "../../../../src/worker/loopback/socket-holder.js";
import { notLinux, skipped } from "../../../support/skipped.js";

let proc = "";
beforeEach(() => void (proc = makeTestFolder("proc")));

const CALLER_PORT = 50_000;
const OUR_PORT = 8080;
const HEX = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");

const HOME = "0100007F";
const MAPPED = `0000000000000000FFFF0000${HOME}`;

interface Line {
  readonly from?: string;
  readonly fromPort?: number;
  readonly to?: string;
}

function connect(
  inode: number,
  {
    table = "tcp",
    from = table === "tcp" ? HOME : MAPPED,
    fromPort = CALLER_PORT,
    to = from,
  }: Line & { table?: string } = {},
): void {
  mkdirSync(join(proc, "net"), { recursive: true });
  const line = `   0: ${from}:${HEX(fromPort)} ${to}:${HEX(OUR_PORT)} 01 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0`;
  writeFileSync(join(proc, "net", table), `  sl  local_address rem_address   st\n${line}\n`);
}

const TERMINAL = "/dev/pts/7";

function add(pid: number, { parent = 1, session = pid, input = TERMINAL, sockets = [] as number[] }): void {
  mkdirSync(join(proc, String(pid), "fd"), { recursive: true });
  mkdirSync(join(proc, String(parent), "task", String(parent)), { recursive: true });
  appendFileSync(join(proc, String(parent), "task", String(parent), "children"), `${pid} `);
  writeFileSync(join(proc, String(pid), "stat"), `${pid} (odd) S 1 (x) S ${parent} ${pid} ${session} 0 0`);
  const files = [input, ...sockets.map((inode) => `socket:[${inode}]`)];
  files.forEach((file, fd) => symlinkSync(file, join(proc, String(pid), "fd", String(fd))));
}

const isHeld = (leader: number, kinship: "terminal" | "descendant", connection = {}): Promise<boolean> =>
  new SocketHolder(proc).isHeldBy(leader, kinship, {
    localAddress: "127.0.0.1",
    localPort: OUR_PORT,
    remoteAddress: "127.0.0.1",
    remotePort: CALLER_PORT,
    ...connection,
  });

// The tables as a little-endian machine has them.
describe.skipIf(skipped(endianness() === "LE" ? null : "the tables are those of a little-endian machine"))(
  "the process at the other end of a connection",
  () => {
    it.each(["tcp", "tcp6"])("is the tool itself, or what runs in its terminal (%s)", async (table) => {
      connect(7, { table });
      add(10, { sockets: [3] });
      add(11, { parent: 10, session: 10, sockets: [7] });
      expect(await isHeld(10, "terminal")).toBe(true);
      expect(await isHeld(10, "descendant")).toBe(true);
    });

    it("is no program that the tool started apart from its terminal", async () => {
      connect(7);
      add(10, {});
      add(12, { parent: 11, session: 11, sockets: [7] });
      add(11, { parent: 10 });
      expect(await isHeld(10, "terminal")).toBe(false);
      expect(await isHeld(10, "descendant")).toBe(true);
    });

    it("is no server that the tool talks to through pipes", async () => {
      connect(7);
      add(10, {});
      add(11, { parent: 10, session: 10, input: "pipe:[99]", sockets: [7] });
      expect(await isHeld(10, "terminal")).toBe(false);
      expect(await isHeld(10, "descendant")).toBe(true);
    });

    it("is nothing that such a server starts", async () => {
      connect(7);
      add(10, {});
      add(11, { parent: 10, session: 10, input: "pipe:[99]" });
      add(12, { parent: 11, session: 10, sockets: [7] });
      expect(await isHeld(10, "terminal")).toBe(false);
    });

    it("is not the tool when it is another session's tool", async () => {
      connect(7);
      add(10, {});
      add(20, { sockets: [7] });
      expect(await isHeld(10, "terminal")).toBe(false);
      expect(await isHeld(10, "descendant")).toBe(false);
    });

    it("is unknown when the system does not say", async () => {
      add(10, { sockets: [7] });
      expect(await isHeld(10, "terminal")).toBe(false);
      connect(0);
      expect(await isHeld(10, "terminal")).toBe(false);
      connect(7, { fromPort: CALLER_PORT + 1 });
      expect(await isHeld(10, "terminal")).toBe(false);
      expect(await isHeld(10, "terminal", { remotePort: undefined })).toBe(false);
      connect(7);
      expect(await isHeld(10, "terminal", { remoteAddress: undefined })).toBe(false);
      expect(await isHeld(10, "terminal")).toBe(true);
    });

    it.each([
      ["the tool talks to another address of the loopback from the same port", { to: "0500007F" }],
      ["the tool has the same port of another address", { from: "0700007F", to: HOME }],
      ["the address is one of IPv6", { from: "00000000000000000000000001000000" }],
    ])("is not the tool where %s", async (_, line) => {
      connect(7, line);
      add(10, { sockets: [7] });
      expect(await isHeld(10, "terminal")).toBe(false);
    });

    it("is not the tool where another address of the loopback called us", async () => {
      connect(7);
      add(10, { sockets: [7] });
      expect(await isHeld(10, "terminal", { remoteAddress: "127.0.0.7" })).toBe(false);
    });
  },
);

function listen(inode: number, port: number, address = HOME): void {
  mkdirSync(join(proc, "net"), { recursive: true });
  const line = `   0: ${address}:${HEX(port)} 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0`;
  appendFileSync(
    join(proc, "net", "tcp"),
    `${existsSync(join(proc, "net", "tcp")) ? "" : "head\n"}${line}\n`,
  );
}

describe.skipIf(skipped(endianness() === "LE" ? null : "the tables are those of a little-endian machine"))(
  "the ports on which a tool listens",
  () => {
    const ports = (): Promise<number[]> => new SocketHolder(proc).findPorts(10, "terminal");

    it("are those of the tool and of programs in its terminal, and no others", async () => {
      listen(3, 4096);
      listen(4, 4097);
      listen(5, 4098);
      listen(6, 4099);
      add(10, { sockets: [3] });
      add(11, { parent: 10, session: 10, sockets: [4] });
      add(12, { parent: 10, session: 12, sockets: [5] });
      add(20, { sockets: [6] });
      expect(await ports()).toEqual([4096, 4097]);
    });

    it("are none on other addresses than the loopback's, of connections, or of missing processes", async () => {
      listen(3, 4096, "00000000");
      listen(4, 4097, "0200007F");
      add(10, { sockets: [3, 4, 7] });
      expect(await ports()).toEqual([]);
      connect(7);
      expect(await ports()).toEqual([]);
      expect(await new SocketHolder(join(proc, "nowhere")).findPorts(10, "terminal")).toEqual([]);
    });
  },
);

const CALLS = `require("net").connect(+process.argv[1], "127.0.0.1"); process.stdin.resume()`;

describe.skipIf(skipped(notLinux))("the process at the other end, by the real system (Linux)", () => {
  it("is our own child, and not the child of another process", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const connected = once(server, "connection") as Promise<[Socket]>;
    const child: ChildProcess = spawn(process.execPath, ["-e", CALLS, String(port)], { detached: true });
    try {
      const [socket] = await connected;
      const holder = new SocketHolder();
      expect(await holder.isHeldBy(child.pid ?? 0, "terminal", socket)).toBe(true);
      expect(await holder.isHeldBy(process.pid, "descendant", socket)).toBe(true);
      expect(await holder.isHeldBy(process.pid, "terminal", socket)).toBe(false);
      expect(await holder.isHeldBy(1_000_000_000, "descendant", socket)).toBe(false);
      socket.destroy();
    } finally {
      child.kill("SIGKILL");
      server.close();
    }
  });
});
