/** Which process is at the other end of a connection over the loopback: asked of Linux (`proc(5)`), which nobody can talk into anything. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

export interface Connection {
  readonly localPort?: number | undefined;
  readonly remotePort?: number | undefined;
}

/** `session`: of the terminal's session, as what was started in its foreground. `descendant`: also what left the terminal since. */
export type Kinship = "session" | "descendant";

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
}

export class SocketHolder {
  readonly #proc: string;

  /** `proc` is where the process file system is mounted. */
  constructor(proc = "/proc") {
    this.#proc = proc;
  }

  /** Whether a process that is related like this to the leader of a terminal's session holds the other end. False where nobody is seen to. */
  isHeldBy(leader: number, kinship: Kinship, connection: Connection): boolean {
    const inode = this.#inodeOf(connection);
    if (inode === null) return false;
    const all = this.#processes();
    const family = kinship === "session" ? ofSession(all, leader) : descendantsOf(all, leader);
    return family.some(({ pid }) => this.#holds(pid, `socket:[${inode}]`));
  }

  /** Of the other end: its local port is our remote one. */
  #inodeOf({ localPort, remotePort }: Connection): string | null {
    if (localPort === undefined || remotePort === undefined) return null;
    for (const table of ["net/tcp", "net/tcp6"]) {
      for (const line of this.#text(table).split("\n").slice(1)) {
        const [, local = "", remote = "", , , , , , , inode = "0"] = line.trim().split(/ {1,16}/);
        if (inode !== "0" && portOf(local) === remotePort && portOf(remote) === localPort) return inode;
      }
    }
    return null;
  }

  #processes(): Process[] {
    return this.#names(".").flatMap((name) => {
      if (!/^\d+$/.test(name)) return [];
      const stat = this.#text(`${name}/stat`);
      // The name stands in brackets and may hold blanks and brackets; from behind it the fields can be counted.
      const [, parent = "", , session = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [{ pid: Number(name), parent: Number(parent), session: Number(session) }];
    });
  }

  #holds(pid: number, socket: string): boolean {
    return this.#names(`${pid}/fd`).some((fd) => this.#link(`${pid}/fd/${fd}`) === socket);
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

/** `0100007F:1F90` */
function portOf(address: string): number {
  return Number.parseInt(address.slice(address.indexOf(":") + 1), 16);
}

function ofSession(all: readonly Process[], leader: number): readonly Process[] {
  return all.filter(({ session }) => session === leader);
}

function descendantsOf(all: readonly Process[], leader: number): readonly Process[] {
  const family = new Set([leader]);
  // A child may stand before its parent: numbers are given out anew.
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid }) => family.has(pid));
}
