/** A tool that waits for other threads, or for files none of which is a terminal, is known not to read; anything less sure is unknown. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ToolProcessFacts } from "../../../../../src/worker/process/facts/process-facts.js";
import { FakeProc, type FakeProcess } from "./fake-proc.js";

const PTS = "/dev/pts/9";
const EPOLL = "anon_inode:[eventpoll]";
const EPOLL_WAIT_OF_5 = "232 0x5 0x7f 0x400";
const EPOLL_PWAIT_OF_5 = "281 0x5 0x7f 0x400";
const FUTEX = "202 0x7f00 0x189 0x0";
const SLEEP = "230 0x0 0x0";

let fake: FakeProc;
beforeEach(() => void (fake = new FakeProc()));
afterEach(() => fake.remove());

type Process = Pick<FakeProcess, "syscall" | "threads" | "files" | "fdinfo">;

function findBlocked(process: Process, architecture: NodeJS.Architecture = "x64"): boolean | undefined {
  fake.add({ pid: 10, group: 10, foreground: 10, ...process, files: { 0: PTS, 5: EPOLL, ...process.files } });
  return new ToolProcessFacts(fake.path, architecture).findReaders(10, PTS).blocked;
}

/** A line as the kernel prints it of a file that an epoll watches. */
const watches = (file: number, { events = "19", inode = "40e" } = {}): string =>
  `tfd:       ${file} events:       ${events} data:                d  pos:0 ino:${inode} sdev:10\n`;

const epollOf = (...lines: readonly string[]): NonNullable<Process["fdinfo"]> => ({
  5: `pos:\t0\nflags:\t02000002\nmnt_id:\t16\nino:\t1038\n${lines.join("")}`,
});

/** What the kernel prints of a ring of io_uring, shortened. */
const ring = (requests: string, thread = "-1"): string =>
  `pos:\t0\nSqHead:\t2\nSqTail:\t2\nSQEs:\t0\nSqThread:\t${thread}\nSqThreadCpu:\t-1\nUserFiles:\t0\nPollList:\n${requests}CqOverflowList:\n`;

describe("a tool that waits in an epoll", () => {
  const besideRing = (fdinfo: string): Process => ({
    syscall: EPOLL_PWAIT_OF_5,
    files: { 6: "anon_inode:[io_uring]" },
    fdinfo: { ...epollOf(), 6: fdinfo },
  });
  const waits = (files: NonNullable<Process["files"]>, ...lines: readonly string[]): Process => ({
    syscall: EPOLL_PWAIT_OF_5,
    files,
    fdinfo: epollOf(...lines),
  });

  it.each<[string, Process]>([
    ["of nothing", waits({})],
    ["of an event counter", waits({ 6: "anon_inode:[eventfd]" }, watches(6))],
    [
      "of a pipe and a socket",
      waits({ 6: "pipe:[255]", 7: "socket:[16]" }, watches(6, { inode: "ff" }), watches(7, { inode: "10" })),
    ],
    [
      "of the terminal of a program that it runs",
      waits({ 6: "/dev/ptmx", 7: "/dev/pts/ptmx" }, watches(6), watches(7)),
    ],
    ["of the terminal, to write there", waits({}, watches(0, { events: "80000004" }))],
    ["beside a ring without a request", besideRing(ring(""))],
  ])("%s does not read", (_, process) => {
    expect(findBlocked(process)).toBe(false);
  });

  it.each<[string, Process]>([
    ["of the terminal", waits({}, watches(0, { inode: "3" }))],
    ["of the terminal, among others", waits({ 6: "pipe:[255]" }, watches(6, { inode: "ff" }), watches(0))],
    ["of the terminal, at each change", waits({}, watches(0, { events: "80002005" }))],
    ["of the terminal, by another event for input", waits({}, watches(0, { events: "40" }))],
    ["of the terminal, opened anew", waits({ 18: "/dev/tty" }, watches(18))],
    ["of the terminal, as another system names it", waits({ 18: "/9" }, watches(18))],
    ["of a file with a path", waits({ 6: "/run/fifo" }, watches(6))],
    ["of a file that is closed", waits({}, watches(6))],
    ["of a file whose number is another's now", waits({ 6: "pipe:[255]" }, watches(6, { inode: "3" }))],
    [
      "of a file that is described otherwise",
      waits({ 6: "anon_inode:[eventfd]" }, "tfd: 6 events: 19 data: d\n"),
    ],
    ["that is not described", { syscall: EPOLL_PWAIT_OF_5 }],
    ["beside a ring with a request", besideRing(ring("  op=22, task_works=0\n"))],
    ["beside a ring that a thread of the kernel serves", besideRing(ring("", "4711"))],
    ["beside a ring whose requests are not told", besideRing("pos:\t0\nSqThread:\t-1\n")],
    ["beside a ring that is not described", waits({ 6: "anon_inode:[io_uring]" })],
    [
      "with too many files",
      waits(Object.fromEntries([...Array(1100).keys()].map((at) => [at + 6, "pipe:[1]"]))),
    ],
  ])("%s may read", (_, process) => {
    expect(findBlocked(process)).toBeUndefined();
  });

  it("may read where that epoll watches another, which watches the terminal", () => {
    const files = { 6: EPOLL };
    const fdinfo = { ...epollOf(watches(6)), 6: watches(0) };
    expect(findBlocked({ syscall: EPOLL_WAIT_OF_5, files, fdinfo })).toBeUndefined();
  });

  it.each<[string, string]>([
    ["reads the terminal", "0 0x0 0x7f 0x9"],
    ["polls several things", "7 0x7f 0x1"],
    ["waits at a ring", "426 0x6 0x1"],
    ["runs", "running"],
    ["sleeps outside of any call", "-1 0x7f 0x7f"],
    ["goes on with what a stop interrupted", "219 0x0 0x0"],
    ["reads what cannot be told", "0 0x30 0x7f 0x9"],
  ])("may read where another of its threads %s", (_, call) => {
    expect(
      findBlocked({ syscall: EPOLL_WAIT_OF_5, threads: [FUTEX, call], fdinfo: epollOf() }),
    ).toBeUndefined();
  });
});

describe("a tool whose first thread waits for the others", () => {
  it.each<[string, readonly string[]]>([
    ["sleep", [SLEEP, SLEEP]],
    ["wait for each other", [FUTEX]],
    ["read a pipe", ["0 0x6 0x7f 0x9"]],
    ["wait for a child", ["61 0xa 0x0"]],
  ])("does not read where they %s", (_, threads) => {
    expect(findBlocked({ syscall: FUTEX, threads, files: { 6: "pipe:[7]" }, fdinfo: epollOf() })).toBe(false);
  });

  it("proves no waiting by a thread that reads: it may do so while the others work", () => {
    const threads = [SLEEP, "0 0x0 0x7f 0x9"];
    expect(findBlocked({ syscall: FUTEX, threads, fdinfo: epollOf() })).toBeUndefined();
  });

  it("may read where one of them watches the terminal", () => {
    const threads = [EPOLL_PWAIT_OF_5];
    expect(findBlocked({ syscall: FUTEX, threads, fdinfo: epollOf(watches(0)) })).toBeUndefined();
  });

  it("may read where what one of them does is hidden", () => {
    expect(findBlocked({ syscall: FUTEX, threads: [undefined], fdinfo: epollOf() })).toBeUndefined();
  });

  it("may read where its threads, or where one of its files leads, cannot be read", () => {
    const facts = new ToolProcessFacts(fake.path, "x64");
    expect(findBlocked({ syscall: FUTEX, fdinfo: epollOf() })).toBe(false);
    writeFileSync(join(fake.path, "10", "fd", "7"), "");
    expect(facts.findReaders(10, PTS).blocked).toBeUndefined();
    rmSync(join(fake.path, "10", "fd", "7"));
    expect(facts.findReaders(10, PTS).blocked).toBe(false);
    rmSync(join(fake.path, "10", "task"), { recursive: true });
    expect(facts.findReaders(10, PTS).blocked).toBeUndefined();
  });

  it("is found on arm64 by the numbers there", () => {
    const threads = ["22 0x5 0x7f 0x400"];
    expect(findBlocked({ syscall: "98 0x7f00 0x189", threads, fdinfo: epollOf() }, "arm64")).toBe(false);
  });
});
