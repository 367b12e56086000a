/**
 * Which process is at the other end of a connection over the loopback, and where one listens: asked of Linux (`proc(5)`), which nobody
 * can talk into anything.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { endianness } from "node:os";
import { join } from "node:path";

/** As Node tells it of a socket of ours. */
export interface SocketEnds {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/**
 * `terminal`: only what never left the terminal's session and reads from where its leader reads, as a program does that its starter
 * hands the terminal to; no server that is talked to through pipes. `descendant`: also all others.
 */
export type Kinship = "terminal" | "descendant";

/** Processes that are looked at: the tool is among the first ones of its terminal. */
const PROCESSES_MAX = 256;

export class SocketHolder {
  readonly #proc: string;

  /** `proc` is where the process file system is mounted. */
  constructor(proc = "/proc") {
    this.#proc = proc;
  }

  /**
   * Whether the leader of a terminal's session, or a process that descends from it like this, holds the other end. False where nobody
   * is seen to. The leader is looked at first: as a rule it is the tool, and the tool waits for this.
   */
  async isHeldBy(leader: number, kinship: Kinship, connection: SocketEnds): Promise<boolean> {
    const inode = await this.#inodeOf(connection);
    if (inode === null) return false;
    for (const pid of this.#family(leader, kinship)) if (this.#holds(pid, inode)) return true;
    return false;
  }

  /** The ports of 127.0.0.1, and of no other address, at which the leader or such a descendant listens. */
  async portsOf(leader: number, kinship: Kinship): Promise<number[]> {
    const listening = (await this.#sockets(["net/tcp"])).filter(({ state }) => state === LISTENS);
    const ports = [...this.#family(leader, kinship)].flatMap((pid) => {
      const held = new Set(this.#inodesOf(pid));
      return listening.filter(({ inode }) => held.has(inode)).map(({ local }) => local);
    });
    return ports.flatMap((address) => {
      const [, port] = /^127\.0\.0\.1:([0-9]{1,5})$/.exec(address ?? "") ?? [];
      return port === undefined ? [] : [Number(port)];
    });
  }

  *#family(leader: number, kinship: Kinship): Generator<number> {
    const family = [leader];
    const isKin = (pid: number): boolean => kinship === "descendant" || this.#sharesTerminal(pid, leader);
    for (let at = 0; at < family.length && at < PROCESSES_MAX; at++) {
      const pid = family[at] ?? 0;
      yield pid;
      family.push(...this.#children(pid).filter(isKin));
    }
  }

  /** Of the other end: its local address is our remote one. Ports alone do not tell: each address of the loopback has its own. */
  async #inodeOf(connection: SocketEnds): Promise<string | null> {
    const { localAddress, localPort, remoteAddress, remotePort } = connection;
    if (localPort === undefined || remotePort === undefined) return null;
    const [here, there] = [`${localAddress}:${localPort}`, `${remoteAddress}:${remotePort}`];
    const sockets = await this.#sockets(["net/tcp", "net/tcp6"]);
    return sockets.find(({ local, remote }) => local === there && remote === here)?.inode ?? null;
  }

  /** Linux walks all of its sockets for this, which takes milliseconds: not in our event loop. */
  async #sockets(tables: readonly string[]): Promise<Row[]> {
    const texts = tables.map((table) => readFile(join(this.#proc, table), "utf8").catch(() => ""));
    return (await Promise.all(texts)).flatMap((text) => text.split("\n").slice(1)).flatMap(rowOf);
  }

  #children(pid: number): number[] {
    return this.#names(`${pid}/task`)
      .flatMap((thread) => this.#text(`${pid}/task/${thread}/children`).split(" "))
      .filter((text) => text !== "")
      .map(Number);
  }

  #sharesTerminal(pid: number, leader: number): boolean {
    const input = this.#link(`${leader}/fd/0`);
    return this.#sessionOf(pid) === leader && input !== "" && this.#link(`${pid}/fd/0`) === input;
  }

  #sessionOf(pid: number): number {
    const stat = this.#text(`${pid}/stat`);
    // The name stands in brackets and may hold blanks and brackets; from behind it the fields can be counted.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]);
  }

  /** The newest descriptors first. */
  #holds(pid: number, inode: string): boolean {
    return this.#names(`${pid}/fd`)
      .reverse()
      .some((fd) => this.#link(`${pid}/fd/${fd}`) === `socket:[${inode}]`);
  }

  #inodesOf(pid: number): string[] {
    return this.#names(`${pid}/fd`).flatMap((fd) => {
      const [, inode] = /^socket:\[(\d{1,20})\]$/.exec(this.#link(`${pid}/fd/${fd}`)) ?? [];
      return inode ?? [];
    });
  }

  #names(folder: string): string[] {
    try {
      return readdirSync(join(this.#proc, folder));
    } catch {
      return []; // Gone meanwhile, or somebody else's.
    }
  }

  #text(file: string): string {
    try {
      return readFileSync(join(this.#proc, file), "utf8");
    } catch {
      return "";
    }
  }

  #link(file: string): string {
    try {
      return readlinkSync(join(this.#proc, file));
    } catch {
      return "";
    }
  }
}

/** A row of the system's tables. An address is null where it is one of IPv6. */
interface Row {
  readonly local: string | null;
  readonly remote: string | null;
  readonly state: string;
  readonly inode: string;
}

/** `TCP_LISTEN`. */
const LISTENS = "0A";

/** None for a socket that belongs to nobody: one that nobody has taken yet, or that is being closed. */
function rowOf(line: string): Row[] {
  const [, local = "", remote = "", state = "", , , , , , inode = "0"] = line.trim().split(/ {1,16}/);
  return inode === "0" ? [] : [{ local: addressOf(local), remote: addressOf(remote), state, inode }];
}

/** An address of IPv4 in the table of IPv6. */
const MAPPED = "0000000000000000FFFF0000";

/** `0100007F:1F90`, in the machine's own order of bytes, is 127.0.0.1:8080; null for an address of IPv6: we listen on none. */
function addressOf(field: string): string | null {
  const [address = "", port = ""] = field.split(":");
  const hex = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
  if (hex.length !== 8) return null;
  const bytes = Buffer.from(hex, "hex");
  if (endianness() === "LE") bytes.reverse();
  return `${bytes.join(".")}:${Number.parseInt(port, 16)}`;
}
