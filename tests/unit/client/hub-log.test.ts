/**
 * A line of the hub's log is shown without tokens and control sequences, and the log is followed over its rotation without losing
 * a line.
 */
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readLog, formatLogLine } from "../../../src/client/hub-log.js";
import { waitFor } from "../../support/wait-for.js";

const TOKEN = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1";

describe("a line of the hub's log", () => {
  const entry = { level: "warn", time: "2026-01-01T00:00:00.000Z", pid: 7, msg: "a message" };

  it("is shown with its instant, its level and what varies", () => {
    const line = JSON.stringify({ ...entry, channel: "telegram", count: 2, reason: "it is away" });
    expect(formatLogLine(line)).toBe(
      '2026-01-01T00:00:00.000Z warn  a message  channel=telegram count=2 reason="it is away" pid=7',
    );
  });

  it("shows the message and the place of an error", () => {
    const error = { name: "TypeError", message: "no", stack: "TypeError: no\n    at a (x.js:1:2)\n    at b" };
    expect(formatLogLine(JSON.stringify({ ...entry, error }))).toBe(
      '2026-01-01T00:00:00.000Z warn  a message  error="TypeError: no" pid=7\n    at a (x.js:1:2)\n    at b',
    );
  });

  it.each(["a dying hub's last words", "{", "[1]", "null", '{"msg":1}', "… (cut)"])(
    "that is not written by the hub is shown as it is: %s",
    (line) => expect(formatLogLine(line)).toBe(line),
  );

  it("shows no token and no control sequence", () => {
    for (const text of [TOKEN, `https://api.telegram.org/bot${TOKEN}/getMe`, "\x1b[2J\x07"]) {
      for (const line of [
        text,
        JSON.stringify({ ...entry, msg: text }),
        JSON.stringify({ ...entry, a: [text] }),
      ]) {
        const shown = formatLogLine(line);
        expect(shown).not.toContain(TOKEN);
        expect(shown).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f]/);
      }
    }
  });
});

describe("the hub's log, read", () => {
  let folder: string;
  let log: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "atb-"));
    vi.stubEnv("ATLASBRIDGE_HOME", folder);
    mkdirSync(join(folder, "logs"));
    log = join(folder, "logs/hub.log");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  async function lines(count: number): Promise<string[]> {
    const told: string[] = [];
    await readLog({ count, follow: false }, (line) => told.push(line));
    return told;
  }

  it("is empty where no hub ever wrote", async () => {
    expect(await lines(5)).toEqual([]);
  });

  it("ends with the newest lines, and goes back into the older file", async () => {
    writeFileSync(`${log}.1`, "one\ntwo\n");
    writeFileSync(log, "three\nfour\n");
    expect(await lines(3)).toEqual(["two", "three", "four"]);
    expect(await lines(0)).toEqual([]);
    expect(await lines(100)).toEqual(["one", "two", "three", "four"]);
  });

  it("is followed over its rotation, with no line lost, doubled or torn", async () => {
    const told: string[] = [];
    const stop = new AbortController();
    writeFileSync(log, "one\ntwo\nthr");
    const following = readLog({ count: 1, follow: true }, (line) => told.push(line), stop.signal);
    await waitFor(() => expect(told).toEqual(["two"]));
    appendFileSync(log, "ee\nf");
    await waitFor(() => expect(told).toEqual(["two", "three"]));
    appendFileSync(log, "our\n");
    renameSync(log, `${log}.1`);
    writeFileSync(log, "five\nsix ");
    await waitFor(() => expect(told).toEqual(["two", "three", "four", "five"]));
    appendFileSync(log, "ä\n");
    await waitFor(() => expect(told.at(-1)).toBe("six ä"));
    stop.abort();
    await following;
    expect(told).toHaveLength(5);
  });

  it("that does not exist yet is followed once it does", async () => {
    const told: string[] = [];
    const stop = new AbortController();
    const following = readLog({ count: 1, follow: true }, (line) => told.push(line), stop.signal);
    writeFileSync(log, "one\n");
    await waitFor(() => expect(told).toEqual(["one"]));
    stop.abort();
    await following;
  });
});
