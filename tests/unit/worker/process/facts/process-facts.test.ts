/**
 * The foreground of a terminal, its settings and the processes that wait for its keyboard are read from the system, and count as
 * unknown where it does not say.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ToolProcessFacts } from "../../../../../src/worker/process/facts/process-facts.js";
import { parseStty, TtyFacts } from "../../../../../src/worker/process/facts/tty-facts.js";
import { FakeProc, type FakeProcess } from "./fake-proc.js";

const PTS = "/dev/pts/9";
const READ_OF_0 = "0 0x0 0x7ffe 0x1";
let fake: FakeProc;
let proc = "";

beforeEach(() => {
  fake = new FakeProc();
  proc = fake.path;
});
afterEach(() => fake.remove());

const add = (process: FakeProcess): void => fake.add(process);

const facts = () => new ToolProcessFacts(proc, "x64");

describe("the foreground of a terminal", () => {
  it("is read past a process name with blanks and brackets", () => {
    add({ pid: 10, name: "odd) S 1 (name", group: 10, foreground: 10 });
    expect(facts().findForegroundGroup(10)).toBe(10);
    expect(facts().findForegroundName(10, PTS)).toBe("odd) S 1 (name");
  });

  it("is named after the leader of the group that reads, not after the tool that started it", () => {
    add({ pid: 10, name: "bash", group: 10, foreground: 12, children: [12] });
    add({ pid: 12, name: "less", group: 12, foreground: 12 });
    expect(facts().findForegroundName(10, PTS)).toBe("less");
  });

  it("is named after another member when the leader is gone", () => {
    add({ pid: 10, name: "bash", group: 10, foreground: 12, children: [13] });
    add({ pid: 13, name: "read", group: 12, foreground: 12 });
    expect(facts().findForegroundName(10, PTS)).toBe("read");
  });

  it("is named after the process that reads the terminal, not after the script that started it", () => {
    add({
      pid: 10,
      name: "bash",
      group: 10,
      foreground: 10,
      children: [11],
      syscall: "61 0x0",
      files: { 0: PTS },
    });
    add({
      pid: 11,
      name: "git",
      group: 10,
      foreground: 10,
      children: [12, 13],
      syscall: "61 0x0",
      files: { 0: PTS },
    });
    add({ pid: 12, name: "vim", group: 10, foreground: 10, syscall: "23 0x1", files: { 0: PTS } });
    add({ pid: 13, name: "helper", group: 10, foreground: 10, syscall: "7 0x1", files: { 0: "pipe:[1]" } });
    expect(facts().findForegroundName(10, PTS)).toBe("vim");
    add({ pid: 14, name: "read", group: 10, foreground: 10, syscall: READ_OF_0, files: { 0: PTS } });
    writeFileSync(join(proc, "13", "task", "13", "children"), "14 ");
    expect(facts().findForegroundName(10, PTS)).toBe("read");
  });

  it("is named after the script that an interpreter runs", () => {
    add({ pid: 10, name: "bash", group: 10, foreground: 10, files: { 0: PTS } });
    writeFileSync(join(proc, "10", "cmdline"), "bash\0--norc\0/opt/install.sh\0");
    expect(facts().findForegroundName(10, PTS)).toBe("install.sh");
    writeFileSync(join(proc, "10", "cmdline"), "bash\0--norc\0");
    expect(facts().findForegroundName(10, PTS)).toBe("bash");
  });

  it("is unknown for a process that is gone, without a terminal, or without Linux", () => {
    add({ pid: 10, group: 10, foreground: -1 });
    expect(facts().findForegroundGroup(10)).toBeUndefined();
    expect(facts().findForegroundGroup(11)).toBeUndefined();
    expect(new ToolProcessFacts(join(proc, "none")).findForegroundName(10, PTS)).toBeUndefined();
  });
});

describe("a process that waits for the keyboard", () => {
  it("sleeps in read of the terminal, by whatever descriptor", () => {
    add({ pid: 10, group: 10, foreground: 10, syscall: READ_OF_0, files: { 0: PTS } });
    expect(facts().findReaders(10, PTS).blocked).toBe(true);
    add({ pid: 11, group: 11, foreground: 11, syscall: "0 0xb 0x7ffe 0x1", files: { 11: "/dev/tty" } });
    expect(facts().findReaders(11, PTS).blocked).toBe(true);
  });

  it("is not one that reads something else, computes or sleeps", () => {
    add({ pid: 10, group: 10, foreground: 10, syscall: READ_OF_0, files: { 0: "pipe:[1]" } });
    add({ pid: 11, group: 11, foreground: 11, syscall: "running" });
    add({ pid: 12, group: 12, foreground: 12, syscall: "230 0x0 0x0" });
    for (const pid of [10, 11, 12]) expect(facts().findReaders(pid, PTS).blocked).toBe(false);
  });

  it("may be a descendant in the foreground group, but not one in the background", () => {
    add({ pid: 10, group: 10, foreground: 10, syscall: "61 0x0", children: [11] });
    add({ pid: 11, group: 10, foreground: 10, syscall: "61 0x0", children: [12] });
    add({ pid: 12, group: 10, foreground: 10, syscall: READ_OF_0, files: { 0: PTS } });
    expect(facts().findReaders(10, PTS).blocked).toBe(true);
    add({ pid: 20, group: 20, foreground: 20, syscall: "61 0x0", children: [21] });
    add({ pid: 21, group: 21, foreground: 20, syscall: READ_OF_0, files: { 0: PTS } });
    expect(facts().findReaders(20, PTS).blocked).toBe(false);
  });

  it("cannot be told from one that polls several things, or whose state is hidden", () => {
    add({ pid: 10, group: 10, foreground: 10, syscall: "232 0x5 0x7f" });
    add({ pid: 11, group: 11, foreground: 11 });
    add({ pid: 12, group: 12, foreground: 12, syscall: READ_OF_0 });
    for (const pid of [10, 11, 12, 99]) expect(facts().findReaders(pid, PTS).blocked).toBeUndefined();
  });

  it("is known by its number and its start, with what it has read and written", () => {
    const reads = { group: 10, foreground: 10, syscall: READ_OF_0, files: { 0: PTS } };
    add({ pid: 10, ...reads, syscall: "232 0x5", children: [11, 12], io: [1, 2] });
    add({ pid: 11, ...reads, startedAt: 616, io: [70, 8] });
    add({ pid: 12, ...reads });
    expect(facts().findReaders(10, PTS)).toEqual({
      blocked: true,
      readers: [{ id: "11@616", taken: 70, written: 8 }, { id: "12@500" }],
    });
  });

  it("may be any of those that poll, where none is known to read", () => {
    add({ pid: 10, group: 10, foreground: 10, syscall: "61 0x0", children: [11] });
    add({ pid: 11, group: 10, foreground: 10, syscall: "232 0x5", io: [1, 2] });
    expect(facts().findReaders(10, PTS)).toEqual({
      blocked: undefined,
      readers: [{ id: "11@500", taken: 1, written: 2 }],
    });
    add({ pid: 20, group: 20, foreground: 20, syscall: "61 0x0" });
    expect(facts().findReaders(20, PTS)).toEqual({ blocked: false, readers: [] });
    expect(facts().findReaders(99, PTS)).toEqual({ blocked: undefined, readers: [] });
  });

  it("is unknown on a processor whose system calls we do not know", () => {
    add({ pid: 10, group: 10, foreground: 10, syscall: READ_OF_0, files: { 0: PTS } });
    expect(new ToolProcessFacts(proc, "riscv64").findReaders(10, PTS).blocked).toBeUndefined();
    expect(new ToolProcessFacts(proc, "arm64").findReaders(10, PTS).blocked).toBe(false);
  });
});

describe("the settings of a terminal", () => {
  const stty = (modes: string) => `speed 38400 baud; rows 24; line = 0;\nintr = ^C; min = 1;\n${modes}\n`;

  it("are read from what stty prints, with or without the minus", () => {
    expect(parseStty(stty("isig icanon iexten echo echoe -echok"))).toEqual({ canonical: true, echo: true });
    expect(parseStty(stty("-icanon -echo echoe"))).toEqual({ canonical: false, echo: false });
  });

  it("are absent, never false, when stty does not name them", () => {
    expect(parseStty("stty: standard input: Inappropriate ioctl for device")).toEqual({});
  });

  it("are left out when they cannot be read, and the rest stays", async () => {
    add({ pid: 10, name: "cat", group: 10, foreground: 10, syscall: READ_OF_0, files: { 0: PTS } });
    const options = { processes: facts(), stty: () => Promise.reject(new Error("no stty")) };
    const known = await new TtyFacts({ pid: 10, ptsPath: PTS }, options).read();
    expect(known).toEqual({ foreground: "cat", blockedOnRead: true });
  });

  it("never stand beside a waiting that began after they were read", async () => {
    add({ pid: 10, group: 10, foreground: 10, syscall: "running" });
    const tty = new TtyFacts(
      { pid: 10, ptsPath: PTS },
      {
        processes: facts(),
        stty: () => {
          rmSync(join(proc, "10"), { recursive: true });
          add({ pid: 10, group: 10, foreground: 10, syscall: READ_OF_0, files: { 0: PTS } });
          return Promise.resolve(stty("icanon echo"));
        },
      },
    );
    expect((await tty.read()).blockedOnRead).toBeUndefined();
    expect((await tty.read()).blockedOnRead).toBe(true);
  });

  it("are not asked for when the terminal has no name", async () => {
    const options = { processes: facts(), stty: () => Promise.reject(new Error("must not be called")) };
    expect(await new TtyFacts({ pid: 10, ptsPath: null }, options).read()).toEqual({});
  });
});

describe("a program outside of the tool that reads its terminal", () => {
  it.each([
    ["counts where a password is asked for", "icanon -echo", PTS, true],
    ["does not count where what is typed is shown", "icanon echo", PTS, false],
    ["does not count where keys are read", "-icanon -echo", PTS, false],
    ["does not count where it reads its own terminal", "icanon -echo", "/dev/tty", false],
  ])("%s", async (_, modes, file, expected) => {
    add({ pid: 10, name: "gpg", group: 10, foreground: 10, syscall: READ_OF_0, files: { 0: "socket:[1]" } });
    add({ pid: 90, name: "pinentry", group: 90, foreground: -1, syscall: READ_OF_0, files: { 0: file } });
    const options = { processes: facts(), stty: () => Promise.resolve(`${modes}\n`) };
    expect((await new TtyFacts({ pid: 10, ptsPath: PTS }, options).read(true)).blockedOnRead).toBe(expected);
    expect((await new TtyFacts({ pid: 10, ptsPath: PTS }, options).read()).blockedOnRead).toBe(false);
  });
});

describe("a command in a terminal of its own", () => {
  const OWN = "/dev/pts/12";
  const shell = (more: Partial<FakeProcess>): FakeProcess => ({
    pid: 20,
    group: 20,
    foreground: 20,
    syscall: READ_OF_0,
    files: { 0: OWN },
    ...more,
  });

  it.each<[string, Partial<FakeProcess>, boolean]>([
    ["waits for somebody in a read of it", {}, true],
    ["works", { syscall: "61 0x0" }, false],
    ["reads a pipe", { files: { 0: "pipe:[7]" } }, false],
    ["reads nothing", { files: { 0: "/dev/null" } }, false],
    ["is in the background there", { foreground: 21 }, false],
    ["reads the terminal of the tool", { files: { 0: PTS } }, false],
  ])("%s", (_, more, expected) => {
    add({ pid: 10, group: 10, foreground: 10, children: [20], files: { 0: PTS } });
    add(shell(more));
    expect(facts().isReadInside(10, PTS)).toBe(expected);
  });

  it("is not known where the system does not tell", () => {
    expect(new ToolProcessFacts(proc, "s390x").isReadInside(10, PTS)).toBeUndefined();
  });
});
