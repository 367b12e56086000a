import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/** A user without an account (in a container) still has a number; `userInfo` would throw. */
export function getOwnUid(): number {
  return process.geteuid?.() ?? userInfo().uid;
}

/** Null if there is none. Without a usable HOME (some service managers set none) the account's home is used. */
export function findOwnHome(): string | null {
  for (const look of [homedir, () => userInfo().homedir]) {
    try {
      const home = look();
      if (isAbsolute(home)) return home;
    } catch {
      // Both throw for a user without an account.
    }
  }
  return null;
}
