const MINUTE_MS = 60_000;
const MINUTES_SHOWN = 120;

/** `40 s`, `3 min`, `5 h`. */
export function formatDuration(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / 1000)} s`;
  const minutes = Math.floor(ms / MINUTE_MS);
  return minutes < MINUTES_SHOWN ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
