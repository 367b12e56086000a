/** Which file a path leads to: another one in the same place is another file. */
import { lstatSync } from "node:fs";

/** Null where there is none, or it cannot be looked at. */
export function fileIdentity(path: string): string | null {
  try {
    const { dev, ino } = lstatSync(path);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
