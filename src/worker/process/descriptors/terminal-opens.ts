/**
 * Notices that a program opens the tool's terminal, or writes to a terminal as `/dev/tty`: it may draw over what the tool shows. The
 * kernel does not say which program it was (`inotify(7)`). Linux only.
 */
import { closeSync } from "node:fs";
import { openCLibrary } from "../../../observe/system-calls.js";
import type { TerminalUse } from "../terminal.js";
import { readAvailable } from "./read-available.js";

const IN_NONBLOCK_CLOEXEC = 0o2004000;
/** A tool reads the size of its terminal by opening `/dev/tty`; only who writes can draw. */
const IN_MODIFY = 0x2;
/** A program that opened it long ago and closes it now may have drawn, too. */
const IN_CLOSE_WRITE = 0x8;
const IN_OPEN = 0x20;
const IN_Q_OVERFLOW = 0x4000;
/** Without a name an event is the watch, the mask, a cookie and the length of the name (`struct inotify_event`). */
const EVENT_BYTES = 16;
const MASK_AT = 4;
/** The kernel merges equal events, so that few wait. */
const EVENTS_READ = 64;

export class TerminalOpens {
  readonly #fd: number | null;
  readonly #events = Buffer.alloc(EVENT_BYTES * EVENTS_READ);

  /** `path`: of the tool's terminal. Earlier openings are not noticed. */
  constructor(path: string | null) {
    this.#fd = path === null ? null : watch(path);
  }

  /** Openings and writes since the last call; none if the kernel does not report them. */
  read(): TerminalUse {
    const use = { isOpened: false, isWritten: false };
    for (;;) {
      const bytes = this.#fd === null ? null : readAvailable(this.#fd, this.#events);
      if (bytes === null) return use;
      for (let at = 0; at < bytes; at += EVENT_BYTES) {
        const mask = this.#events.readUInt32LE(at + MASK_AT);
        use.isOpened ||= (mask & (IN_OPEN | IN_CLOSE_WRITE | IN_Q_OVERFLOW)) !== 0;
        use.isWritten ||= (mask & IN_MODIFY) !== 0;
      }
    }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
  }
}

function watch(path: string): number | null {
  const library = openCLibrary();
  const fd = library?.func("int inotify_init1(int flags)")(IN_NONBLOCK_CLOEXEC) ?? -1;
  if (library === null || fd < 0) return null;
  const add = library.func("int inotify_add_watch(int fd, const char *path, uint32_t mask)");
  add(fd, path, IN_OPEN | IN_CLOSE_WRITE);
  add(fd, "/dev/tty", IN_MODIFY);
  return fd;
}
