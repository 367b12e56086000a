/** Finds the process at the other end of a loopback connection, and the ports on which a process listens, from Linux itself (`proc(5)`). */
import { readFile } from "node:fs/promises";
import { endianness } from "node:os";
import { join } from "node:path";
import { ProcessFiles } from "../process/facts/process-files.js";

export interface SocketEnds {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/**
 * `terminal`: only processes of the terminal's session with the same input as its leader, so no server that is used through pipes.
 * `descendant`: all descendants.
 */
export type Kinship = "terminal" | "descendant";

/** The tool is among the first processes of its terminal. */
const PROCESSES_MAX = 256;

export class SocketHolder {
  readonly #proc: string;
  readonly #files: ProcessFiles;

  constructor(proc = "/proc") {
    this.#proc = proc;
    this.#files = new ProcessFiles(proc);
  }

  /**
   * Whether the leader of a terminal's session, or such a descendant, holds the other end. Usually the tool is the leader, so it is
   * checked first.
   */
  async isHeldBy(leader: number, kinship: Kinship, connection: SocketEnds): Promise<boolean> {
    const inode = await this.#findInode(connection);
    if (inode === null) return false;
    for (const pid of this.#listFamily(leader, kinship)) if (this.#holdsSocket(pid, inode)) return true;
    return false;
  }

  /** Finds the ports of 127.0.0.1 on which the leader or such a descendant listens. */
  async findPorts(leader: number, kinship: Kinship): Promise<number[]> {
    const listening = (await this.#readSockets(["net/tcp"])).filter(({ state }) => state === LISTENS);
    const ports = [...this.#listFamily(leader, kinship)].flatMap((pid) => {
      const held = new Set(this.#readInodes(pid));
      return listening.filter(({ inode }) => held.has(inode)).map(({ local }) => local);
    });
    return ports.flatMap((address) => {
      const [, port] = /^127\.0\.0\.1:([0-9]{1,5})$/.exec(address ?? "") ?? [];
      return port === undefined ? [] : [Number(port)];
    });
  }

  *#listFamily(leader: number, kinship: Kinship): Generator<number> {
    const family = [leader];
    const isKin = (pid: number): boolean => kinship === "descendant" || this.#sharesTerminal(pid, leader);
    for (let at = 0; at < family.length && at < PROCESSES_MAX; at++) {
      const pid = family[at] ?? 0;
      yield pid;
      family.push(...this.#files.readChildren(pid).filter(isKin));
    }
  }

  /** The local address of the other end is our remote one. Each address of the loopback has its own ports. */
  async #findInode(connection: SocketEnds): Promise<string | null> {
    const { localAddress, localPort, remoteAddress, remotePort } = connection;
    if (localPort === undefined || remotePort === undefined) return null;
    const [here, there] = [`${localAddress}:${localPort}`, `${remoteAddress}:${remotePort}`];
    const sockets = await this.#readSockets(["net/tcp", "net/tcp6"]);
    return sockets.find(({ local, remote }) => local === there && remote === here)?.inode ?? null;
  }

  /** Linux takes milliseconds for this, so it must not block our event loop. */
  async #readSockets(tables: readonly string[]): Promise<SocketRow[]> {
    const texts = tables.map((table) => readFile(join(this.#proc, table), "utf8").catch(() => ""));
    return (await Promise.all(texts)).flatMap((text) => text.split("\n").slice(1)).flatMap(parseRow);
  }

  #sharesTerminal(pid: number, leader: number): boolean {
    const input = this.#files.readLink(`${leader}/fd/0`);
    return (
      Number(this.#files.readStat(pid)[3]) === leader &&
      input !== undefined &&
      this.#files.readLink(`${pid}/fd/0`) === input
    );
  }

  /** The newest descriptors are checked first. */
  #holdsSocket(pid: number, inode: string): boolean {
    return this.#files
      .list(`${pid}/fd`)
      .reverse()
      .some((fd) => this.#files.readLink(`${pid}/fd/${fd}`) === `socket:[${inode}]`);
  }

  #readInodes(pid: number): string[] {
    return this.#files.list(`${pid}/fd`).flatMap((fd) => {
      const [, inode] = /^socket:\[(\d{1,20})\]$/.exec(this.#files.readLink(`${pid}/fd/${fd}`) ?? "") ?? [];
      return inode ?? [];
    });
  }
}

/** Addresses are null for IPv6. */
interface SocketRow {
  readonly local: string | null;
  readonly remote: string | null;
  readonly state: string;
  readonly inode: string;
}

/** `TCP_LISTEN`. */
const LISTENS = "0A";

/** A socket without an owner is not accepted yet, or is being closed, and has no row. */
function parseRow(line: string): SocketRow[] {
  const [, local = "", remote = "", state = "", , , , , , inode = "0"] = line.trim().split(/ {1,16}/);
  return inode === "0" ? [] : [{ local: parseAddress(local), remote: parseAddress(remote), state, inode }];
}

const MAPPED = "0000000000000000FFFF0000";

/** `0100007F:1F90` in the machine's byte order is 127.0.0.1:8080. Null for IPv6. */
function parseAddress(field: string): string | null {
  const [address = "", port = ""] = field.split(":");
  const hex = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
  if (hex.length !== 8) return null;
  const bytes = Buffer.from(hex, "hex");
  if (endianness() === "LE") bytes.reverse();
  return `${bytes.join(".")}:${Number.parseInt(port, 16)}`;
}
