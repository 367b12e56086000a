/** Hours in which nothing rings: questions come all the same, silently, and reminders wait for their end. Pure, in local time. */
import type { Config } from "../../config/schema.js";

export type QuietHours = Config["quiet_hours"];

/** When the quiet hours end in which `now` lies; null outside of them. Over midnight where `from` is later than `to`. */
export function quietUntil(hours: QuietHours, now: number): number | null {
  if (hours === null || hours.from === hours.to) return null;
  const at = new Date(now);
  const minutes = at.getHours() * 60 + at.getMinutes();
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)];
  const isQuiet = from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to;
  if (!isQuiet) return null;
  const end = new Date(now);
  // The calendar's own arithmetic: a night in which the clocks change is longer or shorter.
  end.setHours(Math.floor(to / 60), to % 60, 0, 0);
  if (end.getTime() <= now) end.setDate(end.getDate() + 1);
  return end.getTime();
}

function minutesOf(time: string): number {
  const [hours = "0", minutes = "0"] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}
