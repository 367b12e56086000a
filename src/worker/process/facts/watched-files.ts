/** Tells from what the kernel prints about an epoll, or about a ring of io_uring, whether it waits for input of a terminal. Pure. */

/** Links to files without a path, as pipes and sockets are, and to the side of a terminal that nobody types at. */
export const NO_TERMINAL = /^(?:[a-z_]+:|\/dev\/(?:pts\/)?ptmx$)/;
/** A file that an epoll watches: its number in the process, the events, and its inode; the last two in hexadecimal. */
const WATCHED = /^tfd:\s*(\d+) events:\s*([0-9a-f]+) .*\bino:([0-9a-f]+)/;
/** EPOLLIN and EPOLLRDNORM. */
const INPUT_EVENTS = 0x41;

/** Whether an epoll surely waits for no input of a terminal. `links`: where each open file of its process leads; empty: not known. */
export function watchesNoTerminal(fdinfo: string, links: ReadonlyMap<string, string>): boolean {
  return (fdinfo.match(/^tfd:.*/gm) ?? []).every((line) => {
    const [, file = "", events = "", inode = ""] = WATCHED.exec(line) ?? [];
    if (file !== "" && (Number.parseInt(events, 16) & INPUT_EVENTS) === 0) return true;
    const link = links.get(file) ?? "";
    // The number may by now be another file's, while a copy of the watched one is open.
    const linked = /\[(\d+)\]$/.exec(link)?.[1];
    return NO_TERMINAL.test(link) && (linked === undefined || Number(linked) === Number.parseInt(inode, 16));
  });
}

/** Neither a thread of the kernel that takes requests from the ring nor a request that waits for a file. */
const IDLE_RING = /^SqThread:\s*-1\n[^]*^PollList:\n(?! )/m;

/** Whether a ring waits for no file. Which file a request waits for is not told. Node keeps rings to change its epolls with. */
export function isIdleRing(fdinfo: string): boolean {
  return IDLE_RING.test(fdinfo);
}
