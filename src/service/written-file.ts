/** A file that AtlasBridge wrote for another program and recognizes later. A modified file belongs to its user. */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createFileError } from "../config/file-errors.js";
import { AtlasBridgeError } from "../model/errors.js";

const MARK = "Written by `atlasbridge hub install`";

/** How a file format embeds our mark. */
export interface FileStyle {
  /** Lines that must come first. */
  readonly head: string;
  readonly comment: (text: string) => string;
}

type FileOwnership = "absent" | "ours" | "changed" | "foreign";

/** The whole text: head, our mark with a checksum of the body, body. */
export function addMark(style: FileStyle, body: string): string {
  return `${style.head}${buildMark(style, body)}\n${body}`;
}

function buildMark({ comment }: FileStyle, body: string): string {
  const sum = createHash("sha256").update(body).digest("hex");
  return comment(`${MARK}, which knows its own files by ${sum}`);
}

/** Who owns the file's current content. Errors: ATB_FILE_DENIED. */
function findOwnership(style: FileStyle, path: string): FileOwnership {
  const text = readFile(path);
  if (text === null) return "absent";
  if (!text.startsWith(style.head)) return "foreign";
  const [mark = "", ...rest] = text.slice(style.head.length).split("\n");
  if (mark === buildMark(style, rest.join("\n"))) return "ours";
  return mark.includes(MARK) ? "changed" : "foreign";
}

function readFile(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  // A link means that the user keeps the file elsewhere.
  if (!found.isFile()) return "";
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw createFileError(cause, path, "cannot be read");
  }
}

/** Writes the file atomically, never over a file of somebody else. Errors: ATB_FILE_FOREIGN, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE. */
export function writeMarked(style: FileStyle, path: string, body: string): void {
  refuseOthers(style, path);
  const draft = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    writeFileSync(draft, addMark(style, body), { mode: 0o644, flag: "wx" });
    renameSync(draft, path);
  } catch (cause) {
    throw createFileError(cause, path, "cannot be written");
  }
}

/** False if there was none. Errors: ATB_FILE_FOREIGN, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE. */
export function removeMarked(style: FileStyle, path: string): boolean {
  if (refuseOthers(style, path) === "absent") return false;
  try {
    rmSync(path);
    return true;
  } catch (cause) {
    throw createFileError(cause, path, "cannot be removed");
  }
}

function refuseOthers(style: FileStyle, path: string): FileOwnership {
  const standing = findOwnership(style, path);
  if (standing === "absent" || standing === "ours") return standing;
  const found =
    standing === "changed" ? "was changed since it was written" : "was not written by AtlasBridge";
  throw new AtlasBridgeError("ATB_FILE_FOREIGN", `${path} ${found}; it was left unchanged`, {
    hint: "Check its content, and move it away if you do not need it.",
  });
}
