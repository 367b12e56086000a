/** What Linux tells of the processes of a terminal. Whatever it does not tell is undefined, never false. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Processes of one tool that are looked at. A tool with more has no single one that asks. */
const PROCESSES_MAX = 256;

const INNER_TERMINAL = /^\/dev\/pts\/\d{1,9}$/;

interface SystemCalls {
  readonly read: number;
  /** Waiting for several things at once, input perhaps among them: nothing can be said. */
  readonly several: ReadonlySet<number>;
}

/** Numbers from the kernel's tables: poll, readv, select, futex, epoll_wait, pselect6, ppoll, epoll_pwait, io_uring_enter, epoll_pwait2. */
const SYSTEM_CALLS: Partial<Record<NodeJS.Architecture, SystemCalls>> = {
  x64: { read: 0, several: new Set([7, 19, 23, 202, 232, 270, 271, 281, 426, 441]) },
  arm64: { read: 63, several: new Set([22, 65, 72, 73, 98, 426, 441]) },
};

interface Status {
  readonly group: number;
  readonly foregroundGroup: number;
  /** In ticks since the machine came up: a process that got the number of one that ended has another. */
  readonly startedAt: string;
}

/** A process that waits for what is typed, or may. */
export interface TerminalReader {
  /** The same for as long as the process lives, and of no other one. */
  readonly id: string;
  /** Bytes that it has written, to whatever; absent where the system does not tell. */
  readonly written?: number;
  /** Bytes that it has read, from whatever. */
  readonly taken?: number;
}

export interface TerminalReaders {
  /** A process of the foreground group sleeps in `read` of the terminal; undefined where that is not known. */
  readonly blocked: boolean | undefined;
  /** Those that do; where none does, those of which it is not known. */
  readonly readers: readonly TerminalReader[];
}

export class ToolProcessFacts {
  readonly #proc: string;
  readonly #calls: SystemCalls | undefined;

  /** `proc` is where the process file system is mounted. */
  constructor(proc = "/proc", architecture: NodeJS.Architecture = process.arch) {
    this.#proc = proc;
    this.#calls = SYSTEM_CALLS[architecture];
  }

  /** Process group that reads the keyboard of the terminal of process `pid`. */
  foregroundGroup(pid: number): number | undefined {
    const group = this.#status(pid)?.foregroundGroup;
    return group !== undefined && group > 0 ? group : undefined;
  }

  /** Name of the leader of the foreground group, or of another member when the leader is gone (at most 15 characters). */
  foregroundName(pid: number): string | undefined {
    const group = this.foregroundGroup(pid);
    if (group === undefined) return undefined;
    return (
      this.#text(group, "comm")?.trimEnd() ?? this.#text(this.#members(pid, group)[0], "comm")?.trimEnd()
    );
  }

  /** True when a process of the foreground group sleeps in `read` of the terminal `ttyPath`. */
  blockedOnRead(pid: number, ttyPath: string): boolean | undefined {
    return this.readers(pid, ttyPath).blocked;
  }

  /** Who waits for what is typed at the terminal `ttyPath`. */
  readers(pid: number, ttyPath: string): TerminalReaders {
    const group = this.foregroundGroup(pid);
    const members = group === undefined ? [] : this.#members(pid, group);
    const states = members.map((member) => this.#sleepsInRead(member, ttyPath));
    const blocked = states.includes(true)
      ? true
      : states.length === 0 || states.includes(undefined)
        ? undefined
        : false;
    if (blocked === false) return { blocked, readers: [] };
    const waiting = members.filter((_, at) => states[at] === blocked);
    return { blocked, readers: waiting.flatMap((member) => this.#reader(member) ?? []) };
  }

  #reader(pid: number): TerminalReader | undefined {
    const startedAt = this.#status(pid)?.startedAt;
    if (startedAt === undefined) return undefined;
    return { id: `${pid}@${startedAt}`, ...this.#bytesOf(pid) };
  }

  /** Of its threads: to what the process as a whole has written, the kernel adds what children wrote that have ended. */
  #bytesOf(pid: number): Pick<TerminalReader, "written" | "taken"> {
    const sum = { written: 0, taken: 0 };
    const threads = this.#threads(pid);
    for (const thread of threads) {
      const counts = this.#text(pid, `task/${thread}/io`) ?? "";
      const taken = /^rchar: (\d+)$/m.exec(counts)?.[1];
      const written = /^wchar: (\d+)$/m.exec(counts)?.[1];
      if (taken === undefined || written === undefined) return {};
      sum.taken += Number(taken);
      sum.written += Number(written);
    }
    return threads.length === 0 ? {} : sum;
  }

  /**
   * True when a descendant of `pid` sleeps in `read` of a terminal that is not `ttyPath`, on its standard input: a command that the tool
   * runs in a terminal of its own waits for somebody. Undefined where the system does not tell.
   */
  readsInside(pid: number, ttyPath: string): boolean | undefined {
    if (!this.#calls) return undefined;
    return this.#descendants(pid).some((member) => {
      const input = this.#link(member, "fd/0");
      return (
        input !== undefined &&
        INNER_TERMINAL.test(input) &&
        input !== ttyPath &&
        this.#isInForeground(member) &&
        this.#sleepsInRead(member, input) === true
      );
    });
  }

  #isInForeground(pid: number): boolean {
    const status = this.#status(pid);
    return status !== undefined && status.group === status.foregroundGroup;
  }

  #sleepsInRead(pid: number, ttyPath: string): boolean | undefined {
    const [call, firstArgument] = (this.#text(pid, "syscall") ?? "").split(" ", 2);
    if (!this.#calls || !call) return undefined;
    if (this.#calls.several.has(Number(call))) return undefined;
    if (Number(call) !== this.#calls.read || firstArgument === undefined) return false;
    const file = this.#link(pid, `fd/${Number.parseInt(firstArgument, 16)}`);
    return file === undefined ? undefined : file === ttyPath || file === "/dev/tty";
  }

  /** Process `pid` and its descendants, as far as they are in `group`. */
  #members(pid: number, group: number): number[] {
    return this.#descendants(pid).filter((member) => this.#status(member)?.group === group);
  }

  #descendants(pid: number): number[] {
    const seen = [pid];
    for (let at = 0; at < seen.length && seen.length < PROCESSES_MAX; at++) {
      seen.push(...this.#children(seen[at] ?? 0));
    }
    return seen;
  }

  #children(pid: number): number[] {
    return this.#threads(pid)
      .flatMap((thread) => (this.#text(pid, `task/${thread}/children`) ?? "").split(" "))
      .filter((text) => text !== "")
      .map(Number);
  }

  #threads(pid: number): string[] {
    try {
      return readdirSync(join(this.#proc, String(pid), "task"));
    } catch {
      return [];
    }
  }

  #status(pid: number): Status | undefined {
    const text = this.#text(pid, "stat");
    // The name stands in brackets and may hold blanks and brackets itself; after it: state, parent, group, session, tty, foreground.
    const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
    const group = Number(fields?.[2]);
    const foregroundGroup = Number(fields?.[5]);
    return Number.isInteger(group) && Number.isInteger(foregroundGroup)
      ? { group, foregroundGroup, startedAt: fields?.[19] ?? "" }
      : undefined;
  }

  #text(pid: number | undefined, name: string): string | undefined {
    if (pid === undefined) return undefined;
    try {
      return readFileSync(join(this.#proc, String(pid), name), "utf8");
    } catch {
      return undefined;
    }
  }

  #link(pid: number, name: string): string | undefined {
    try {
      return readlinkSync(join(this.#proc, String(pid), name));
    } catch {
      return undefined;
    }
  }
}
