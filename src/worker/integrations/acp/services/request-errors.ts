/** Errors in plain words: agents show them to their models. */
import { RequestError } from "@agentclientprotocol/sdk";

export function createForbidden(words: string): RequestError {
  return new RequestError(-32602, words);
}

export function createFailure(words: string): RequestError {
  return new RequestError(-32603, words);
}

const IN_WORDS: Readonly<Record<string, string>> = {
  EACCES: "may not be opened",
  EPERM: "may not be changed",
  EROFS: "lies on a disk that takes no changes",
  ENOSPC: "does not fit on the disk",
  EEXIST: "lies below what is no folder",
  EISDIR: "is a folder",
  ENOTDIR: "lies below what is no folder",
  ELOOP: "is a link that leads nowhere",
  ENXIO: "is no plain file",
  ENAMETOOLONG: "has a name that is too long",
};

/** `use` may throw a `RequestError` of its own. */
export function withPlainErrors<T>(file: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") throw RequestError.resourceNotFound(file);
    throw createFailure(`${file} ${IN_WORDS[code] ?? "could not be used"}`);
  }
}
