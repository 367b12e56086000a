/** What the hub grants whoever connects. Together they bound what all connections can make it hold, and how many there are. */

/** An answer, or a session's opening with its command; only a session itself says more: its questions. */
export const CLIENT_LINE_BYTES_MAX = 1024 * 1024;
/** Before anything was said that could be answered: a hello, or a session's opening. */
export const FIRST_LINE_BYTES_MAX = 512 * 1024;
/** Workers and clients write a line in one go. */
export const LINE_MS_MAX = 5_000;
/** Whoever connects speaks at once. */
export const FIRST_WORD_MS_MAX = 10_000;
/** All that is held for sessions together: six lines of the longest. */
export const SESSIONS_BYTES_MAX = 48 * 1024 * 1024;
/** All that is held for everybody else together: some twenty lines of the longest. */
export const CLIENTS_BYTES_MAX = 24 * 1024 * 1024;
/** Of those who must go, first those who hold more than this: it is they who take the room. */
export const MUCH_BYTES = 64 * 1024;
/** Commands, and `watch` on a few screens. With the sessions well below the 1,024 files that many systems grant a process. */
export const CLIENTS_MAX = 256;
/** Sessions at once: a person runs a dozen, a build machine some fifty. */
export const SESSIONS_MAX = 400;
