/** A session inside of another one starts no hub, and keeps no other session from starting one. */
import { existsSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { startHubOnce } from "../../../../src/client/connect/start-hub.js";
import { resolvePaths } from "../../../../src/config/paths.js";
import { SESSION_MARK } from "../../../../src/model/session-mark.js";
import { makeTestFolder } from "../../../support/temporary-folder.js";

afterEach(() => void vi.unstubAllEnvs());

it("claims no start inside of a session", () => {
  const folder = makeTestFolder("atb");
  const paths = resolvePaths({
    env: { ATLASBRIDGE_HOME: folder },
    userHome: null,
    tmpDir: folder,
    uid: process.getuid?.() ?? 0,
  });
  vi.stubEnv(SESSION_MARK, "s1");
  expect(() => startHubOnce(paths, ["false"], 0)).toThrow("cannot be started from inside a session");
  expect(existsSync(paths.hubStarting)).toBe(false);
});
