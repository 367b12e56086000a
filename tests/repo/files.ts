import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** The files of the repository under these paths: all that git knows or would take, and that are there. */
export function listFiles(...places: string[]): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...places];
  const listed = execFileSync("git", args, { encoding: "utf8" }).split("\0");
  return listed.filter((file) => file !== "" && existsSync(file));
}
