/** The hub's log is a private file of bounded size with one JSON object a line, and holds no secrets, no texts of people and no keys. */
import { makeTestFolder } from "../../support/temporary-folder.js";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openLog } from "../../../src/observe/log.js";
import { LOG_BYTES_MAX, LOG_LINE_BYTES_MAX, getRotatedLog } from "../../../src/observe/log-file.js";

describe("the hub's log", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = makeTestFolder("atb");
    path = join(folder, "hub.log");
  });

  const scrub = (text: string): string => text.replaceAll("123:SECRET", "[redacted]");
  const written = (): string => readFileSync(path, "utf8");

  it("leaves out what is only for debugging, unless it is asked for", async () => {
    const log = await openLog(path, scrub, undefined);
    log("debug", "a session reported its tool's state");
    log("info", "the hub serves");
    expect(log.isDebug).toBe(false);
    expect(written()).not.toContain("reported");
    const detailed = await openLog(path, scrub, "debug");
    detailed("debug", "a session reported its tool's state");
    expect(detailed.isDebug).toBe(true);
    expect(written()).toContain("reported");
  });

  it("writes one JSON object a line, at once, for its owner only", async () => {
    const log = await openLog(path, scrub);
    log("info", "the hub serves", { socket: "/run/hub.sock" });
    expect(JSON.parse(written())).toMatchObject({
      level: "info",
      msg: "the hub serves",
      socket: "/run/hub.sock",
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("keeps secrets out of messages, fields, errors, their stacks and their causes", async () => {
    const log = await openLog(path, scrub);
    const cause = new Error("GET https://api.example/bot123:SECRET/getUpdates");
    log("error", "failed for 123:SECRET", {
      url: "https://api.example/bot123:SECRET",
      error: new TypeError("with 123:SECRET", { cause }),
      deep: [{ list: ["123:SECRET"] }],
    });
    expect(written()).not.toContain("SECRET");
    expect(written()).toContain("[redacted]");
  });

  it("does not write fields that hold people's words or keys, from any caller", async () => {
    const log = await openLog(path, scrub);
    log("info", "a reply", {
      value: "my words",
      text: "my words",
      bot_token: "my words",
      reply: { nonce: "my words" },
    });
    expect(written()).not.toContain("my words");
  });

  it("never grows beyond its limit: a new file is begun, and the one before it kept", async () => {
    const log = await openLog(path, scrub);
    writeFileSync(path, "old\n");
    truncateSync(path, LOG_BYTES_MAX - 10);
    log("info", "new");
    expect(JSON.parse(written())).toMatchObject({ msg: "new" });
    expect(statSync(getRotatedLog(path)).size).toBe(LOG_BYTES_MAX - 10);
    truncateSync(path, LOG_BYTES_MAX);
    log("info", "newest");
    expect(JSON.parse(written())).toMatchObject({ msg: "newest" });
    expect(readdirSync(folder).sort()).toEqual(["hub.log", "hub.log.1"]);
  });

  it("cuts a line that is too long", async () => {
    const log = await openLog(path, scrub);
    log("info", "much", { list: Array.from({ length: 100_000 }, (_, n) => n) });
    expect(statSync(path).size).toBeLessThanOrEqual(LOG_LINE_BYTES_MAX);
    expect(written()).toMatch(/… \(cut\)\n$/);
  });

  it("goes on in a new file when somebody took the old one away, and without one when it cannot be written", async () => {
    const log = await openLog(path, scrub);
    log("info", "first");
    rmSync(path);
    log("info", "second");
    expect(JSON.parse(written())).toMatchObject({ msg: "second" });
    rmSync(path);
    mkdirSync(path);
    expect(() => log("info", "third")).not.toThrow();
  });
});
