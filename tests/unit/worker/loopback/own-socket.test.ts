/**
 * The socket of a tool is used only when it belongs to the user and lies in a folder that only the user can write to. A link of
 * the user's is followed once.
 */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { getOwnUid } from "../../../../src/config/own-user.js";
import { findOwnSocket } from "../../../../src/worker/loopback/own-socket.js";

let folder = "";
let server: Server;
let socket = "";

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "atlas-own-"));
  mkdirSync(join(folder, "real"), { mode: 0o700 });
  mkdirSync(join(folder, "named"), { mode: 0o700 });
  socket = join(folder, "real", "s");
  server = createServer();
  await new Promise<void>((resolve) => server.listen(socket, resolve));
});

afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the socket of a tool", () => {
  it("is the user's own, in the user's own folder", () => {
    expect(findOwnSocket(socket, getOwnUid())).toBe(socket);
  });

  it("may be named by a link of the user, which is followed once", () => {
    const [link, twice] = [join(folder, "named", "link"), join(folder, "named", "twice")];
    symlinkSync(socket, link);
    symlinkSync(link, twice);
    expect(findOwnSocket(link, getOwnUid())).toBe(socket);
    expect(findOwnSocket(twice, getOwnUid())).toBeNull();
  });

  it("is not another user's", () => {
    expect(findOwnSocket(socket, getOwnUid() + 1)).toBeNull();
  });

  it("is not in a folder in which others could put another one", () => {
    const link = join(folder, "named", "link");
    symlinkSync(socket, link);
    chmodSync(join(folder, "real"), 0o777);
    expect(findOwnSocket(socket, getOwnUid())).toBeNull();
    expect(findOwnSocket(link, getOwnUid())).toBeNull();
  });

  it("has a name that is not cut: another one could stand at its beginning", () => {
    const long = join(folder, "named", "l".repeat(100));
    renameSync(socket, long);
    expect(findOwnSocket(long, getOwnUid())).toBeNull();
    const link = join(folder, "named", "link");
    symlinkSync(long, link);
    expect(findOwnSocket(link, getOwnUid())).toBeNull();
  });

  it("is a socket and no other file", () => {
    const file = join(folder, "real", "file");
    writeFileSync(file, "");
    expect(findOwnSocket(file, getOwnUid())).toBeNull();
    expect(findOwnSocket(join(folder, "real", "none"), getOwnUid())).toBeNull();
  });
});
