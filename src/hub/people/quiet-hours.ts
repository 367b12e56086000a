/** Quiet hours: cards arrive silently and reminders wait until the end, but for those of urgent classes. Pure, in local time. */
import type { Config } from "../../config/schema.js";

export type QuietHours = Config["quiet_hours"];

/** Whether the quiet hours do not hold for a prompt of these classes. */
export function isUrgent(hours: QuietHours, classes: readonly string[]): boolean {
  return hours?.urgent?.some((each) => classes.includes(each)) ?? false;
}

/** The end of the quiet hours that contain `now`; null outside of them. If `from` is later than `to`, they span midnight. */
export function findQuietEnd(hours: QuietHours, now: number): number | null {
  if (hours === null || hours.from === hours.to) return null;
  const at = new Date(now);
  const minutes = at.getHours() * 60 + at.getMinutes();
  const [from, to] = [parseMinutes(hours.from), parseMinutes(hours.to)];
  const isQuiet = from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to;
  if (!isQuiet) return null;
  const end = new Date(now);
  // Uses calendar arithmetic, because a night with a clock change is longer or shorter.
  end.setHours(Math.floor(to / 60), to % 60, 0, 0);
  if (end.getTime() <= now) end.setDate(end.getDate() + 1);
  return end.getTime();
}

function parseMinutes(time: string): number {
  const [hours = "0", minutes = "0"] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}
