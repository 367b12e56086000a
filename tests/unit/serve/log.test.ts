import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLog } from "../../../src/observe/log.js";

describe("the hub's log", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "atb-"));
    path = join(folder, "hub.log");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const scrub = (text: string): string => text.replaceAll("123:SECRET", "[redacted]");
  const written = (): string => readFileSync(path, "utf8");

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

  it("does not write fields that hold people's words or keys, whoever passes them", async () => {
    const log = await openLog(path, scrub);
    log("info", "a reply", {
      value: "my words",
      text: "my words",
      bot_token: "my words",
      reply: { nonce: "my words" },
    });
    expect(written()).not.toContain("my words");
  });

  it("begins a new file when the old one is large, and keeps that", async () => {
    writeFileSync(path, "old\n");
    truncateSync(path, 11 * 1024 * 1024);
    const log = await openLog(path, scrub);
    log("info", "new");
    expect(statSync(path).size).toBeLessThan(1_000);
    expect(statSync(`${path}.1`).size).toBe(11 * 1024 * 1024);
  });
});
