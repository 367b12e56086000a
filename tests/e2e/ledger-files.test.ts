/**
 * The ledger's commands show its size, make a private copy and verify it while the hub works. Every command and the hub name a
 * damaged database and leave it as it is.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EXIT } from "../../src/model/errors.js";
import { type Finished, HubHome } from "../support/hub-home.js";
import { tamper } from "../support/tamper.js";

let home: HubHome;
beforeEach(() => (home = new HubHome()));
afterEach(() => home.close());

async function makeLedger(): Promise<void> {
  expect((await home.run("hub", "start")).code).toBe(0);
  expect((await home.run("pause")).code).toBe(0);
  expect((await home.run("resume")).code).toBe(0);
}

/** Every file of the ledger, byte for byte. */
function listFiles({ folder }: HubHome): Record<string, string> {
  const digest = (name: string): string =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  const names = readdirSync(folder).filter((name) => /^(?:atlasbridge\.db|audit\.key)/.test(name));
  return Object.fromEntries(names.map((name) => [name, digest(name)]));
}

describe("the ledger's commands", () => {
  it("show how much the ledger holds, and make a private copy that verifies, while the hub works", async () => {
    await makeLedger();
    const info = await home.data<{ rows: { audit: number }; path: string }>("db", "info");
    expect(info).toMatchObject({ path: home.paths.database, openPrompts: 0 });
    expect(info.rows.audit).toBeGreaterThanOrEqual(3);
    expect((await home.run("db", "info")).stdout).toContain(`audit       ${info.rows.audit} rows`);

    const copy = join(home.folder, "copy.db");
    expect(await home.run("db", "archive", copy)).toMatchObject({ code: 0, stderr: "" });
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const whole = await home.data<{ rows: number; head: string }>("audit", "verify", "--file", copy);
    expect(whole.rows).toBe(info.rows.audit);
    expect(await home.data("audit", "verify", "--expect", `${whole.rows}:${whole.head}`)).toMatchObject({
      head: whole.head,
    });
    // A copy never takes the place of another.
    const before = readFileSync(copy);
    expect((await home.run("db", "archive", copy)).code).not.toBe(0);
    expect(readFileSync(copy).equals(before)).toBe(true);
  });

  it.each([
    [
      "a field that was changed",
      "UPDATE audit SET identity = 'chat:9' WHERE position = 2",
      /row 2 .*changed/,
    ],
    ["a row that was taken out", "DELETE FROM audit WHERE position = 2", /row 2.*missing/],
    [
      "a tail that was cut",
      "DELETE FROM audit WHERE position > 2",
      /row 3.*sealed rows from here on are missing/,
    ],
  ])("name %s, with exit code 8", async (_, sql, named) => {
    await makeLedger();
    await home.run("hub", "stop");
    tamper(home.paths.database, sql);
    const { code, stderr } = await home.run("audit", "verify");
    expect(stderr).toMatch(named);
    expect(code).toBe(EXIT.damaged);
  });
});

describe("the key that proves an audit", () => {
  it("is reported as missing after it was deleted, before and after a hub made another", async () => {
    await makeLedger();
    await home.run("hub", "stop");
    rmSync(home.paths.auditKey);
    const without = await home.run("audit", "verify");
    expect(without.stderr).toContain("audit.key is missing");
    expect(without.code).toBe(EXIT.damaged);
    await home.run("hub", "start");
    const after = await home.run("audit", "verify");
    expect(after.stderr).toMatch(/rows 1 to \d+: they were sealed with a lost key/);
    expect(after.code).toBe(EXIT.damaged);
    const { stdout } = await home.run("doctor");
    expect(stdout).toContain("the audit log is not intact from step 1 on (key lost)");
  });

  it("is not expected from a hub for a copy that does not exist", async () => {
    const { code, stderr } = await home.run("audit", "verify", "--file", "/nowhere/none.db");
    expect(stderr).toContain("/nowhere/none.db does not exist");
    expect(stderr).not.toContain("hub start");
    expect(code).not.toBe(0);
  });
});

describe("a database that is not sound", () => {
  const newer = (path: string): void => {
    const database = new Database(path);
    database.pragma("journal_mode = DELETE");
    database.pragma("user_version = 999");
    database.close();
  };
  const corrupt = (path: string): void => {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x5a, 4096));
  };

  it.each([
    ["of a newer version", newer, /newer/],
    ["with damaged pages", corrupt, /damaged|corrupt|malformed/],
  ])("%s is named by every command and by the hub, and stays as it is", async (_, spoil, named) => {
    await makeLedger();
    await home.run("hub", "stop");
    spoil(home.paths.database);
    const before = listFiles(home);
    const seen = async (...words: string[]): Promise<Finished & { words: string }> => ({
      words: words.join(" "),
      ...(await home.run(...words)),
    });
    const copy = join(home.folder, "copy.db");
    for (const { words, code, stderr } of [
      await seen("db", "info"),
      await seen("db", "archive", copy),
      await seen("audit", "verify"),
      await seen("hub", "start"),
    ]) {
      expect(stderr, words).toMatch(named);
      expect(code, words).not.toBe(0);
    }
    // Reading a database in WAL mode makes files beside it; not one byte of what was there is another.
    expect(listFiles(home)).toMatchObject(before);
  });
});
