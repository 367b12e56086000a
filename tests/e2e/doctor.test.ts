/**
 * `doctor` checks home, configuration, database, adapters, hub and channels, changes nothing, and names each fault that it finds.
 * It works without the addons and says how to install them.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Check, Diagnosis } from "../../src/doctor/check.js";
import { finished, HubHome, MAIN } from "../support/hub-home.js";
import { startTelegram } from "../support/telegram/emulator.js";
import { spawn } from "node:child_process";

let home: HubHome;
beforeEach(() => void (home = new HubHome()));
afterEach(() => home.close());

interface Told extends Diagnosis {
  readonly code: number | null;
  readonly of: (name: string) => Check | undefined;
}

async function doctor(main = MAIN): Promise<Told> {
  const child = spawn(process.execPath, [main, "doctor", "--json"], { env: home.env });
  const { code, stdout, stderr } = await finished(child);
  expect(stderr).toBe("");
  const { status, data } = JSON.parse(stdout) as { status: string; data: Diagnosis };
  expect(status).toBe("success");
  return { ...data, code, of: (name) => data.checks.find((check) => check.name === name) };
}

describe("doctor", () => {
  it("finds no fault in a fresh home, and changes nothing in it", async () => {
    const told = await doctor();
    expect(told.checks.filter(({ state }) => state === "fail")).toEqual([]);
    expect(told.code).toBe(0);
    expect(told.of("socket")?.found).toContain("no hub is running");
    expect(existsSync(home.paths.database)).toBe(false);
    expect(existsSync(home.paths.logsDir)).toBe(false);
  });

  it("prints for people what it prints for scripts", async () => {
    const { code, stdout } = await home.run("doctor");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^  ok    node-pty: [\d.]+ loads$/m);
    expect(stdout).toMatch(/^Everything needed works\. \d+ warnings? above/m);
  });

  it("asks the running hub about itself and its channels", async () => {
    const telegram = await startTelegram();
    telegram.user(1001);
    const config = { token: telegram.token, api_root: telegram.apiRoot, deliver_to: [1001] };
    const people = [{ name: "Ara", identities: ["telegram:1001"], role: "approver" }];
    const file = JSON.stringify({ people, channels: { telegram: config } });
    writeFileSync(home.paths.config, `${file}\n`, { mode: 0o600 });
    await home.trust();
    await home.run("hub", "start");
    await telegram.waitFor(() => telegram.listRequests("getUpdates").length > 1, "the hub's poll");
    const asked = telegram.requests.length;
    const told = await doctor();
    expect(told.of("hub")).toMatchObject({ state: "ok" });
    expect(told.of("database")).toMatchObject({ state: "ok" });
    expect(told.of("audit")).toMatchObject({ state: "ok" });
    expect(told.of("channel:telegram")).toMatchObject({ state: "ok", found: "the hub reports: connected" });
    expect(telegram.listRequests("getMe")).toEqual([]);
    expect(telegram.requests.slice(asked).map(({ method }) => method)).not.toContain("getMe");
    await telegram.stop();
  });

  it("asks the service itself where no hub is running, and never shows a token", async () => {
    const telegram = await startTelegram();
    const token = "7000001:AAH-of-somebody-else_0123456789ab";
    writeFileSync(join(home.folder, "token"), token, { mode: 0o644 });
    const config = { token: "file:token", api_root: telegram.apiRoot, deliver_to: [1001] };
    writeFileSync(home.paths.config, `channels: ${JSON.stringify({ telegram: config })}\n`, { mode: 0o600 });
    expect((await doctor()).of("channel:telegram")).toMatchObject({
      state: "fail",
      found: expect.stringContaining("ATB_ENDPOINT_UNCONFIRMED") as string,
    });
    expect(telegram.requests).toEqual([]);
    await home.trust();
    const told = await doctor();
    expect(told.code).toBe(1);
    expect(told.of("channel:telegram")).toMatchObject({
      state: "fail",
      found: "Telegram does not know this token (401 Unauthorized)",
    });
    expect(told.of("private_files")).toMatchObject({ state: "fail" });
    expect(JSON.stringify(told)).not.toContain(token);
    await telegram.stop();
  });

  it("goes on where the configuration, the database and an adapter are broken, and names each", async () => {
    writeFileSync(home.paths.config, "poeple: []\n");
    writeFileSync(home.paths.database, "no database, but long enough for a header ".repeat(100));
    mkdirSync(home.paths.adaptersDir);
    writeFileSync(join(home.paths.adaptersDir, "mine.yaml"), "schema: 2\n");
    const told = await doctor();
    expect(told.code).toBe(1);
    expect(told.of("config")?.found).toContain('did you mean "people"? (ATB_CONFIG_INVALID)');
    expect(told.of("database")?.found).toContain("(ATB_STORE_DAMAGED)");
    expect(told.of("adapter:mine")?.found).toContain("(ATB_ADAPTER_INVALID)");
    expect(told.of("socket")).toMatchObject({ state: "ok" });
  });

  it("handles a home that is not a directory, and adapters that are not files of adapters", async () => {
    writeFileSync(home.paths.adaptersDir, "");
    expect((await doctor()).of("adapters")?.found).toContain("adapters cannot be read (ENOTDIR)");
    const file = join(home.folder, "file");
    writeFileSync(file, "");
    Object.assign(home.env, { ATLASBRIDGE_HOME: file });
    const told = await doctor();
    Object.assign(home.env, { ATLASBRIDGE_HOME: home.folder });
    expect(told.code).toBe(1);
    expect(told.of("directories")?.found).toContain(`${file} is not a directory`);
    expect(JSON.stringify(told)).not.toContain("this check itself failed");
  });

  it("distinguishes another program on the socket from a hub", async () => {
    const stranger = createServer((socket) => {
      // Whoever finds that it is no hub hangs up before it has read everything.
      socket.on("error", () => undefined);
      socket.resume().end("220 mail.example ESMTP\r\n");
    });
    await new Promise<void>((resolve) => stranger.listen(home.paths.socket, resolve));
    const told = await doctor();
    await new Promise((resolve) => stranger.close(resolve));
    expect(told.of("socket")).toMatchObject({
      state: "fail",
      action: expect.stringContaining("hub.log") as string,
    });
  });

  it("refuses a home that others may write to, as the hub does", async () => {
    chmodSync(home.folder, 0o777);
    const told = await doctor();
    chmodSync(home.folder, 0o700);
    expect(told.of("directories")?.found).toContain("(ATB_SOCKET_UNSAFE)");
    expect(told.of("socket")?.found).toContain("(ATB_SOCKET_UNSAFE)");
  });
});

describe("doctor of an installation whose addons do not load", () => {
  /** A copy of the program beside addons of which one is for another Node and one was never built. */
  function brokenInstallation(): string {
    const root = join(home.folder, "installed");
    const modules = join(root, "node_modules");
    mkdirSync(modules, { recursive: true });
    for (const name of ["dist", "adapters", "package.json"])
      cpSync(name, join(root, name), { recursive: true });
    for (const name of ["bindings", "file-uri-to-path"])
      symlinkSync(resolve("node_modules", name), join(modules, name));
    for (const addon of ["node-pty", "better-sqlite3"])
      for (const part of ["package.json", "lib"])
        cpSync(resolve("node_modules", addon, part), join(modules, addon, part), { recursive: true });
    const release = join(modules, "better-sqlite3", "build", "Release");
    mkdirSync(release, { recursive: true });
    writeFileSync(join(release, "better_sqlite3.node"), "of another machine");
    return join(root, "dist", "main.js");
  }

  it("works, and names the exact fix for each", async () => {
    writeFileSync(home.paths.database, "");
    const told = await doctor(brokenInstallation());
    const root = join(home.folder, "installed");
    expect(told.code).toBe(1);
    expect(told.of("node-pty")).toMatchObject({
      state: "fail",
      found: "was never built: npm did not run its install script",
      action: expect.stringContaining(`\`npm rebuild node-pty\` in ${root}`) as string,
    });
    expect(told.of("better-sqlite3")).toMatchObject({
      state: "fail",
      action: expect.stringContaining(`\`npm rebuild better-sqlite3\` in ${root}`) as string,
    });
    expect(told.of("database")).toMatchObject({ state: "fail", action: "See better-sqlite3 above." });
    expect(told.of("adapters")).toMatchObject({ state: "ok" });
  });
});
