/** A process file system in a temporary folder, with the files that are read about processes. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface FakeProcess {
  readonly pid: number;
  readonly name?: string;
  readonly group: number;
  readonly foreground: number;
  readonly syscall?: string;
  readonly children?: readonly number[];
  readonly files?: Readonly<Record<number, string>>;
  readonly startedAt?: number;
  /** Bytes read and written. */
  readonly io?: readonly [number, number];
  /** The system call of each further thread; undefined where it is hidden. */
  readonly threads?: readonly (string | undefined)[];
  /** What is printed about open files. */
  readonly fdinfo?: Readonly<Record<number, string>>;
}

export class FakeProc {
  readonly path = mkdtempSync(join(tmpdir(), "proc-"));

  remove(): void {
    rmSync(this.path, { recursive: true });
  }

  add(fake: FakeProcess): void {
    const { pid, name = "tool", group, foreground, children = [], files = {}, startedAt = 500 } = fake;
    const folder = join(this.path, String(pid));
    const threads = [fake.syscall, ...(fake.threads ?? [])];
    for (const [at, syscall] of threads.entries()) addThread(join(folder, "task", String(pid + at)), syscall);
    mkdirSync(join(folder, "fd"));
    mkdirSync(join(folder, "fdinfo"));
    const upToStart = `4194304 ${"0 ".repeat(12)}${startedAt} 0`;
    writeFileSync(
      join(folder, "stat"),
      `${pid} (${name}) S 1 ${group} ${group} 34816 ${foreground} ${upToStart}`,
    );
    const main = join(folder, "task", String(pid));
    if (fake.io) {
      const [read, written] = fake.io;
      writeFileSync(join(main, "io"), `rchar: ${read}\nwchar: ${written}\nsyscr: 1\nsyscw: 2\n`);
    }
    writeFileSync(join(folder, "comm"), `${name}\n`);
    writeFileSync(join(main, "children"), children.map((child) => `${child} `).join(""));
    if (fake.syscall !== undefined) writeFileSync(join(folder, "syscall"), `${fake.syscall}\n`);
    for (const [fd, target] of Object.entries(files)) symlinkSync(target, join(folder, "fd", fd));
    for (const [fd, text] of Object.entries(fake.fdinfo ?? {}))
      writeFileSync(join(folder, "fdinfo", fd), text);
  }
}

function addThread(folder: string, syscall: string | undefined): void {
  mkdirSync(folder, { recursive: true });
  if (syscall !== undefined) writeFileSync(join(folder, "syscall"), `${syscall}\n`);
}
