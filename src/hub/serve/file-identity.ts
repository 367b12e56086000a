/** Identifies the file at a path, so that a replaced file is noticed. */
import { lstatSync } from "node:fs";

export function getFileIdentity(path: string): string | null {
  try {
    const { dev, ino } = lstatSync(path);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
