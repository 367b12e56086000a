/** An exchange with a real tool is compared with the one that is kept; where none is, or with `UPDATE_EXCHANGES=1`, it is kept itself. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

export function keepIfWanted(place: string, write: () => void): void {
  if (!process.env["UPDATE_EXCHANGES"] && existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  write();
}
