/** A file that we wrote for another program, and know again: whatever is not as we left it belongs to its user. */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileError } from "../config/file-errors.js";
import { AtlasBridgeError } from "../model/errors.js";

const MARK = "Written by `atlasbridge hub install`";

/** How a kind of file writes its text around our mark. */
export interface FileStyle {
  /** What has to come first of all. */
  readonly head: string;
  readonly comment: (text: string) => string;
}

type Standing = "absent" | "ours" | "changed" | "foreign";

/** The whole text: head, our mark with a checksum of the body, body. */
export function addMark(style: FileStyle, body: string): string {
  return `${style.head}${markOf(style, body)}\n${body}`;
}

function markOf({ comment }: FileStyle, body: string): string {
  const sum = createHash("sha256").update(body).digest("hex");
  return comment(`${MARK}, which knows its own files by ${sum}`);
}

/** Whose the file is. Errors: ATB_FILE_DENIED. */
function standingOf(style: FileStyle, path: string): Standing {
  const text = readFile(path);
  if (text === null) return "absent";
  if (!text.startsWith(style.head)) return "foreign";
  const [mark = "", ...rest] = text.slice(style.head.length).split("\n");
  if (mark === markOf(style, rest.join("\n"))) return "ours";
  return mark.includes(MARK) ? "changed" : "foreign";
}

function readFile(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  // A link is somebody's way to keep the file elsewhere.
  if (!found.isFile()) return "";
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw fileError(cause, path, "cannot be read");
  }
}

/** Writes it whole or not at all, never over a file of somebody else. Errors: ATB_FILE_FOREIGN, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE. */
export function writeMarked(style: FileStyle, path: string, body: string): void {
  refuseOthers(style, path);
  const draft = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    writeFileSync(draft, addMark(style, body), { mode: 0o644, flag: "wx" });
    renameSync(draft, path);
  } catch (cause) {
    throw fileError(cause, path, "cannot be written");
  }
}

/** False when there was none. Errors: ATB_FILE_FOREIGN, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE. */
export function removeMarked(style: FileStyle, path: string): boolean {
  if (refuseOthers(style, path) === "absent") return false;
  try {
    rmSync(path);
    return true;
  } catch (cause) {
    throw fileError(cause, path, "cannot be removed");
  }
}

function refuseOthers(style: FileStyle, path: string): Standing {
  const standing = standingOf(style, path);
  if (standing === "absent" || standing === "ours") return standing;
  const found =
    standing === "changed" ? "was changed since it was written" : "was not written by AtlasBridge";
  throw new AtlasBridgeError("ATB_FILE_FOREIGN", `${path} ${found}; it was not touched`, {
    hint: "Look at what is in it, and move it away if you do not need it.",
  });
}
