/** Limits per connection and in total. They bound the memory and the number of connections. */

/** An answer, or the opening of a session with its command. Only a session itself sends more: its prompts. */
export const CLIENT_LINE_BYTES_MAX = 1024 * 1024;
/** Before the caller was authenticated: a hello, or a session's opening. */
export const FIRST_LINE_BYTES_MAX = 512 * 1024;
/** Workers and clients write a line at once. */
export const LINE_MS_MAX = 5_000;
/** A caller sends its first call at once. */
export const FIRST_WORD_MS_MAX = 10_000;
/** Buffered for all sessions together: six of the longest lines. */
export const SESSIONS_BYTES_MAX = 48 * 1024 * 1024;
/** Buffered for all other callers together: about twenty of the longest lines. */
export const CLIENTS_BYTES_MAX = 24 * 1024 * 1024;
/** When room is needed, connections that buffer more than this are closed first. */
export const MUCH_BYTES = 64 * 1024;
/** Commands, and `watch` on a few screens. Together with the sessions well below the common limit of 1,024 files per process. */
export const CLIENTS_MAX = 256;
/** Simultaneous sessions: a person runs a dozen, a build machine about fifty. */
export const SESSIONS_MAX = 400;
