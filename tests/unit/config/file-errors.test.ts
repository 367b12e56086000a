/** An error with a file names a full disk, the path, the attempt and the mode that is in the way. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findDeniedError, createFileError } from "../../../src/config/file-errors.js";
import { AtlasBridgeError } from "../../../src/model/errors.js";
import { isRoot, skipped } from "../../support/skipped.js";

describe("an error with a file", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "atb-"))));
  afterEach(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  });

  const systemError = (code: string): Error => Object.assign(new Error(`${code}: no`), { code });

  it("names a full disk", () => {
    expect(createFileError(systemError("ENOSPC"), "/x/y", "cannot be written")).toMatchObject({
      code: "ATB_HUB_UNREACHABLE",
      message: "/x/y cannot be written (ENOSPC)",
      hint: expect.stringContaining("The disk is full") as string,
    });
  });

  it("names path, attempt and code of everything else, and passes on what is named already", () => {
    expect(createFileError(systemError("ENOTDIR"), "/x/y", "cannot be created").message).toBe(
      "/x/y cannot be created (ENOTDIR)",
    );
    expect(createFileError("?", "/x/y", "cannot be created").message).toBe("/x/y cannot be created");
    const known = new AtlasBridgeError("ATB_SOCKET_UNSAFE", "known");
    expect(createFileError(known, "/x/y", "cannot be created")).toBe(known);
  });

  it("is not reported where this user may read and write", () => {
    writeFileSync(join(folder, "mine"), "");
    expect(findDeniedError(join(folder, "mine"))).toBeNull();
    expect(findDeniedError(join(folder, "new"))).toBeNull();
  });

  it.skipIf(skipped(isRoot))(
    "names the mode that is in the way, of the file or of the directory above it",
    () => {
      writeFileSync(join(folder, "mine"), "", { mode: 0o400 });
      expect(findDeniedError(join(folder, "mine"))).toMatchObject({
        code: "ATB_FILE_DENIED",
        exitCode: 5,
        message: `${join(folder, "mine")} may not be used: it has the mode 0400`,
      });
      mkdirSync(join(folder, "closed"), { mode: 0o500 });
      expect(
        createFileError(systemError("EACCES"), join(folder, "closed/a/b"), "cannot be created"),
      ).toMatchObject({
        message: `${join(folder, "closed/a/b")} cannot be created: ${join(folder, "closed")} has the mode 0500`,
        hint: expect.stringContaining("ATLASBRIDGE_HOME") as string,
      });
    },
  );
});
