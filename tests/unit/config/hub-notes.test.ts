/**
 * The notes about the hub let one of many sessions start it, hold back those that tried often, and name the sessions that a
 * stopped hub left.
 */
import { makeTestFolder } from "../../support/temporary-folder.js";
import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  claimStart,
  clearHubNotes,
  readStopNote,
  START_CLAIM_MS,
  writeStopNote,
} from "../../../src/config/hub-notes.js";
import { resolvePaths, type Paths } from "../../../src/config/paths.js";

describe("notes about the hub", () => {
  let folder: string;
  let paths: Paths;
  beforeEach(() => {
    folder = makeTestFolder("atb");
    paths = resolvePaths({ env: { ATLASBRIDGE_HOME: folder }, userHome: null, tmpDir: folder, uid: 1 });
  });

  /** Makes the claim so much older. */
  const age = (ms: number): void => {
    const { mtimeMs } = statSync(paths.hubStarting);
    utimesSync(paths.hubStarting, (mtimeMs - ms) / 1000, (mtimeMs - ms) / 1000);
  };

  it("let one of many start a hub", () => {
    const claims = Array.from({ length: 50 }, () => claimStart(paths, Date.now(), 0));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it("let the next one try when no hub came up in time", () => {
    claimStart(paths, Date.now(), 0);
    age(START_CLAIM_MS);
    expect(claimStart(paths, Date.now(), 0)).toBe(true);
    expect(claimStart(paths, Date.now(), 0)).toBe(false);
  });

  it("hold back those who have tried often for longer than those who are new", () => {
    claimStart(paths, Date.now(), 0);
    age(10_000);
    expect(claimStart(paths, Date.now(), 30_000)).toBe(false);
    expect(claimStart(paths, Date.now(), 500)).toBe(true);
  });

  it("hold nobody back after the clock was set back, or when something else is in their place", () => {
    claimStart(paths, Date.now(), 0);
    age(-3_600_000);
    expect(claimStart(paths, Date.now(), 0)).toBe(true);
    rmSync(paths.hubStarting);
    mkdirSync(join(paths.hubStarting, "deep"), { recursive: true });
    age(START_CLAIM_MS);
    expect(claimStart(paths, Date.now(), 0)).toBe(true);
  });

  it("name the sessions that a stopped hub left, and are removed once a hub serves", () => {
    const session = { sessionId: "s1", tool: "bash", label: null, pid: 7, pidStartTime: "9" };
    expect(readStopNote(paths)).toBeNull();
    writeStopNote(paths, { at: 5, sessions: [session] });
    claimStart(paths, Date.now(), 0);
    expect(readStopNote(paths)).toEqual({ at: 5, sessions: [session] });
    expect(statSync(paths.hubStopped).mode & 0o077).toBe(0);
    clearHubNotes(paths);
    expect(readStopNote(paths)).toBeNull();
    expect(existsSync(paths.hubStarting)).toBe(false);
    expect(claimStart(paths, Date.now(), 0)).toBe(true);
  });

  it.each(["", "{", "[]", '{"at":1}', '{"at":"1","sessions":[]}', '{"at":1,"sessions":[{}]}'])(
    "are ignored where they are invalid: %s",
    (text) => {
      writeFileSync(paths.hubStopped, text);
      expect(readStopNote(paths)).toBeNull();
    },
  );
});
