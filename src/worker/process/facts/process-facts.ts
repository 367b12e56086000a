/** Reads Linux's information about the processes of a terminal. Missing information is undefined, never false. */
import { ProcessFiles } from "./process-files.js";
import { nameProgram } from "./program-name.js";
import { isIdleRing, NO_TERMINAL, watchesNoTerminal } from "./watched-files.js";

/** The most processes of one tool that are looked at. A tool with more has no single one that prompts. */
const PROCESSES_MAX = 256;

const INNER_TERMINAL = /^\/dev\/pts\/\d{1,9}$/;

interface SystemCalls {
  readonly read: number;
  /** Calls that wait for several things at once, perhaps also for input: nothing can be concluded from them. */
  readonly several: readonly number[];
  /** Calls that wait for other threads, or for files that the kernel lists. */
  readonly listed: readonly number[];
  readonly restarted: number;
}

/**
 * Numbers from the kernel's tables. `several`: poll, readv, select, pselect6, ppoll, io_uring_enter. `listed`: futex, epoll_wait,
 * epoll_pwait, epoll_pwait2. `restarted`: restart_syscall.
 */
const SYSTEM_CALLS: Partial<Record<NodeJS.Architecture, SystemCalls>> = {
  x64: { read: 0, several: [7, 19, 23, 270, 271, 426], listed: [202, 232, 281, 441], restarted: 219 },
  arm64: { read: 63, several: [65, 72, 73, 426], listed: [22, 98, 441], restarted: 128 },
};

/** The most open files of one process that are examined. With more, its wait state is unknown. */
const FILES_MAX = 1024;

interface ProcessStatus {
  readonly group: number;
  readonly session: number;
  readonly foregroundGroup: number;
  /** In ticks since the machine started. A process that reuses the number of an ended one has another value. */
  readonly startedAt: string;
}

/** A process that waits for typed input, or may do so. */
export interface TerminalReader {
  /** The same for as long as the process lives, and unique to it. */
  readonly id: string;
  /** Bytes that it has written, to any file; absent if the system does not report it. */
  readonly written?: number;
  readonly taken?: number;
}

export interface TerminalReaders {
  /** A process of the foreground group sleeps in `read` of the terminal; undefined where that is not known. */
  readonly blocked: boolean | undefined;
  /** The processes that do; where none does, those for which it is not known. */
  readonly readers: readonly TerminalReader[];
}

export class ToolProcessFacts {
  readonly #files: ProcessFiles;
  readonly #calls: SystemCalls | undefined;

  constructor(proc = "/proc", architecture: NodeJS.Architecture = process.arch) {
    this.#files = new ProcessFiles(proc);
    this.#calls = SYSTEM_CALLS[architecture];
  }

  findForegroundGroup(pid: number): number | undefined {
    const group = this.#readStatus(pid)?.foregroundGroup;
    return group !== undefined && group > 0 ? group : undefined;
  }

  /**
   * Names the program that people see at the terminal `ttyPath`: the process of the foreground group that waits for input there, or may
   * do so. A script that started it only waits for its end. Where none waits, the leader counts, or another member when it is gone.
   */
  findForegroundName(pid: number, ttyPath: string | null): string | undefined {
    const group = this.findForegroundGroup(pid);
    if (group === undefined) return undefined;
    const members = this.#findInGroup(pid, group);
    const front = this.#findWaiting(members, ttyPath) ?? members.find((each) => each === group) ?? members[0];
    return this.#readName(front ?? group, ttyPath);
  }

  /** If several may wait, it is the one started last that has the terminal as its input: helpers of a tool have pipes. */
  #findWaiting(members: readonly number[], ttyPath: string | null): number | undefined {
    if (ttyPath === null) return undefined;
    const states = members.map((member) => ({ member, waits: this.#sleepsInRead(member, ttyPath) }));
    const proven = states.findLast(({ waits }) => waits === true);
    const possible = states.filter(({ waits }) => waits === undefined).map(({ member }) => member);
    const atTerminal = possible.findLast((member) => this.#files.readLink(`${member}/fd/0`) === ttyPath);
    return proven?.member ?? atTerminal ?? possible[0];
  }

  #readName(pid: number, ttyPath: string | null): string | undefined {
    const name = this.#files.readText(`${pid}/comm`)?.trimEnd();
    const words = this.#files.readText(`${pid}/cmdline`)?.split("\0").slice(0, -1) ?? [];
    const isAtTerminal = ttyPath === null || this.#files.readLink(`${pid}/fd/0`) === ttyPath;
    return name === undefined ? undefined : nameProgram(name, words, isAtTerminal);
  }

  findReaders(pid: number, ttyPath: string): TerminalReaders {
    const group = this.findForegroundGroup(pid);
    const members = group === undefined ? [] : this.#findInGroup(pid, group);
    const states = members.map((member) => this.#sleepsInRead(member, ttyPath));
    const blocked = states.includes(true)
      ? true
      : states.length === 0 || states.includes(undefined)
        ? undefined
        : false;
    if (blocked === false) return { blocked, readers: [] };
    const waiting = members.filter((_, at) => states[at] === blocked);
    return { blocked, readers: waiting.flatMap((member) => this.#readReader(member) ?? []) };
  }

  /** Finds the descendants of `ancestor` that are in the session of process `pid`, each by an id as a reader has. */
  findMembers(pid: number, ancestor: number): readonly string[] {
    const session = this.#readStatus(pid)?.session;
    return this.#findDescendants(ancestor).flatMap((member) => {
      const status = this.#readStatus(member);
      return status !== undefined && status.session === session ? [`${member}@${status.startedAt}`] : [];
    });
  }

  #readReader(pid: number): TerminalReader | undefined {
    const startedAt = this.#readStatus(pid)?.startedAt;
    if (startedAt === undefined) return undefined;
    return { id: `${pid}@${startedAt}`, ...this.#countBytes(pid) };
  }

  /** Sums over the threads, because the kernel adds the bytes of ended children to those of the whole process. */
  #countBytes(pid: number): Pick<TerminalReader, "written" | "taken"> {
    const sum = { written: 0, taken: 0 };
    const threads = this.#files.list(`${pid}/task`);
    for (const thread of threads) {
      const counts = this.#files.readText(`${pid}/task/${thread}/io`) ?? "";
      const taken = /^rchar: (\d+)$/m.exec(counts)?.[1];
      const written = /^wchar: (\d+)$/m.exec(counts)?.[1];
      if (taken === undefined || written === undefined) return {};
      sum.taken += Number(taken);
      sum.written += Number(written);
    }
    return threads.length === 0 ? {} : sum;
  }

  /**
   * True if a descendant of `pid` sleeps in `read` of a terminal that is not `ttyPath`, on its standard input: then a command
   * that the tool runs in a terminal of its own waits for somebody. Undefined if the system does not report it.
   */
  isReadInside(pid: number, ttyPath: string): boolean | undefined {
    if (!this.#calls) return undefined;
    return this.#findDescendants(pid).some((member) => {
      const input = this.#files.readLink(`${member}/fd/0`);
      return (
        input !== undefined &&
        INNER_TERMINAL.test(input) &&
        input !== ttyPath &&
        this.#isInForeground(member) &&
        this.#sleepsInRead(member, input) === true
      );
    });
  }

  /** Whether any process of the machine sleeps in `read` of the terminal `ttyPath`. gpg's agent asks for a passphrase where gpg runs. */
  isReadFromOutside(ttyPath: string): boolean {
    // To another session `/dev/tty` is another terminal.
    return this.#files.list("").some((name) => this.#reads(Number(name), [ttyPath]) === true);
  }

  #isInForeground(pid: number): boolean {
    const status = this.#readStatus(pid);
    return status !== undefined && status.group === status.foregroundGroup;
  }

  #sleepsInRead(pid: number, ttyPath: string): boolean | undefined {
    const [call] = this.#readCall(pid);
    if (!this.#calls || !call) return undefined;
    if (this.#calls.several.includes(Number(call))) return undefined;
    // A tool that watches the terminal may do so while it works, and so may one of its threads: that proves no waiting.
    if (this.#calls.listed.includes(Number(call)))
      return this.#waitsForOther(pid, this.#calls) ? false : undefined;
    return this.#reads(pid, [ttyPath, "/dev/tty"]);
  }

  /** Whether the process is in `read` of one of these files; undefined where the file is not known. */
  #reads(pid: number, files: readonly string[]): boolean | undefined {
    const [call, argument] = this.#readCall(pid);
    if (Number(call) !== this.#calls?.read || argument === undefined) return false;
    const file = this.#files.readLink(`${pid}/fd/${Number.parseInt(argument, 16)}`);
    return file === undefined ? undefined : files.includes(file);
  }

  #readCall(pid: number): readonly string[] {
    return (this.#files.readText(`${pid}/syscall`) ?? "").split(" ", 2);
  }

  /** Whether it is certain that no thread of the process waits for input of a terminal. */
  #waitsForOther(pid: number, calls: SystemCalls): boolean {
    const threads = this.#files.list(`${pid}/task`);
    const isOff = (thread: string): boolean => this.#isOffTerminal(pid, thread, calls);
    return threads.length > 0 && threads.every(isOff) && this.#watchesNoTerminal(pid);
  }

  #isOffTerminal(pid: number, thread: string, { read, several, restarted }: SystemCalls): boolean {
    const text = this.#files.readText(`${pid}/task/${thread}/syscall`) ?? "";
    // A thread that runs has no number, and one that sleeps outside of any call has -1.
    const [, call, file = ""] = /^(\d+) (\S+)/.exec(text) ?? [];
    if (call === undefined || several.includes(Number(call)) || Number(call) === restarted) return false;
    const link = this.#files.readLink(`${pid}/fd/${Number.parseInt(file, 16)}`) ?? "";
    return Number(call) !== read || NO_TERMINAL.test(link);
  }

  /** Looks at all epolls of the process, because one may watch another, and at its rings. */
  #watchesNoTerminal(pid: number): boolean {
    const files = this.#files.list(`${pid}/fd`);
    if (files.length === 0 || files.length > FILES_MAX) return false;
    const links = new Map(files.map((file) => [file, this.#files.readLink(`${pid}/fd/${file}`) ?? ""]));
    return [...links].every(([file, link]) => {
      const isRing = link === "anon_inode:[io_uring]";
      if (!isRing && link !== "anon_inode:[eventpoll]") return link !== "";
      const fdinfo = this.#files.readText(`${pid}/fdinfo/${file}`);
      if (fdinfo === undefined) return false;
      return isRing ? isIdleRing(fdinfo) : watchesNoTerminal(fdinfo, links);
    });
  }

  #findInGroup(pid: number, group: number): number[] {
    return this.#findDescendants(pid).filter((member) => this.#readStatus(member)?.group === group);
  }

  #findDescendants(pid: number): number[] {
    const seen = [pid];
    for (let at = 0; at < seen.length && seen.length < PROCESSES_MAX; at++) {
      seen.push(...this.#files.readChildren(seen[at] ?? 0));
    }
    return seen;
  }

  #readStatus(pid: number): ProcessStatus | undefined {
    const fields = this.#files.readStat(pid);
    const [group, session, foregroundGroup] = [2, 3, 5].map((at) => Number(fields[at])) as [
      number,
      number,
      number,
    ];
    return Number.isInteger(group) && Number.isInteger(foregroundGroup)
      ? { group, session, foregroundGroup, startedAt: fields[19] ?? "" }
      : undefined;
  }
}
