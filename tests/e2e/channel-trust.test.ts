/** An address of a service that somebody else may have put into the configuration gets no token before a person confirms it. */
import { readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { stringify } from "yaml";
import { CONFIRMED_KEY, buildConfirmation } from "../../src/plugins/channels/endpoints.js";
import type { HubStatus } from "../../src/wire/listings.js";
import { eventually, HubHome, MAIN } from "../support/hub-home.js";
import { startTelegram, type TelegramEmulator } from "../support/telegram/emulator.js";
import { trustAtTerminal } from "../support/trust-at-terminal.js";

let home: HubHome;
let telegram: TelegramEmulator;
let other: TelegramEmulator;

beforeEach(async () => {
  home = new HubHome();
  telegram = await startTelegram();
  other = await startTelegram();
  configure({ api_root: telegram.apiRoot });
});

afterEach(async () => {
  await home.close();
  await telegram.stop();
  await other.stop();
});

function configure(over: object): void {
  const people = [{ name: "Ara", identities: ["telegram:1001"], role: "approver" }];
  const channels = { telegram: { token: telegram.token, deliver_to: [1001], ...over } };
  writeFileSync(home.paths.config, stringify({ people, channels }), { mode: 0o600 });
}

async function readState(id: string): Promise<HubStatus["channels"][number] | undefined> {
  const { hub } = await home.data<{ hub: HubStatus }>("status");
  return hub.channels.find((channel) => channel.id === id);
}

const trust = (key: string): ReturnType<typeof trustAtTerminal> => trustAtTerminal(home, key);

it("says without a hub, too, that the channel will stay closed, until a person confirms", async () => {
  expect((await home.run("status")).stdout).toMatch(
    /^⚠ telegram will stay closed: its token may not go to the unconfirmed address .*channel trust telegram/m,
  );
  await home.run("hub", "start");
  expect(await trust("y")).toMatchObject({ code: 0 });
  await home.run("hub", "stop");
  expect((await home.run("status")).stdout).not.toContain("unconfirmed");
});

it("has nothing to confirm without a token, and says that setup asks for both", async () => {
  writeFileSync(home.paths.config, stringify({ channels: { telegram: { api_root: telegram.apiRoot } } }));
  const { code, stderr } = await home.run("channel", "trust", "telegram");
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/telegram has no token yet[^]*`atlasbridge setup telegram`/);
  expect(stderr).not.toContain("missing");
});

it("does not ask again what is confirmed", async () => {
  await home.run("hub", "start");
  expect(await trust("y")).toMatchObject({ code: 0 });
  // There is no terminal that could ask.
  const again = await home.run("channel", "trust", "telegram");
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("may go to")]);
});

it("keeps that one channel closed, sends nothing there, and says what to do", async () => {
  await home.run("hub", "start");
  expect(await readState("telegram")).toMatchObject({
    state: "failed",
    reason: expect.stringContaining(`${telegram.apiRoot}/ (ATB_ENDPOINT_UNCONFIRMED)`) as string,
    action: expect.stringContaining("atlasbridge channel trust telegram") as string,
  });
  expect(await readState("cli")).toMatchObject({ state: "connected" });
  expect((await home.run("doctor")).stdout).toContain("ATB_ENDPOINT_UNCONFIRMED");
  expect(telegram.requests).toEqual([]);
  expect((await trust("")).screen).toContain("Not confirmed");
  expect(telegram.requests).toEqual([]);
});

it("opens it once a person confirms, for a hub that starts later too, and for no other address or token", async () => {
  await home.run("hub", "start");
  expect(await trust("y")).toMatchObject({ code: 0 });
  await eventually(async () => (await readState("telegram"))?.state === "connected");
  await home.run("hub", "stop");
  await home.run("hub", "start");
  await eventually(async () => (await readState("telegram"))?.state === "connected");

  configure({ api_root: other.apiRoot });
  const { stdout } = await home.run("hub", "reload");
  expect(stdout).toContain("Changed: channels.telegram.api_root.");
  expect(stdout).toMatch(
    /^telegram is closed: its token may not go to the unconfirmed address .*ATB_ENDPOINT_UNCONFIRMED/m,
  );
  expect(await readState("telegram")).toMatchObject({ state: "failed" });
  configure({ api_root: telegram.apiRoot, token: "7000001:AAH-of-somebody-else_0123456789ab" });
  expect((await home.run("hub", "reload")).stdout).toContain(
    "Changed: channels.telegram.api_root, channels.telegram.token.",
  );
  expect(await readState("telegram")).toMatchObject({ state: "failed" });
  expect(other.requests).toEqual([]);
  configure({ api_root: telegram.apiRoot });
  expect((await home.run("hub", "reload")).stdout).toMatch(/^telegram was started\.$/m);
  await eventually(async () => (await readState("telegram"))?.state === "connected");
  configure({ api_root: telegram.apiRoot, deliver_to: [1001, 1002] });
  expect((await home.run("hub", "reload")).stdout).toMatch(/^telegram was restarted\.$/m);
  writeFileSync(home.paths.config, "{}\n");
  expect((await home.run("hub", "reload")).stdout).toMatch(
    /^telegram was stopped: it is no longer in the configuration\.$/m,
  );
  expect((await home.run("hub", "reload")).stdout).toBe(
    "The hub has reloaded the configuration. Nothing has changed.\n",
  );
});

it("stays confirmed for `channel test` while the hub refuses the configuration for another reason", async () => {
  await home.run("hub", "start");
  expect(await trust("y")).toMatchObject({ code: 0 });
  await eventually(async () => (await readState("telegram"))?.state === "connected");
  writeFileSync(home.paths.policy, "version: 1\nrules: 5\n");
  const { stdout, stderr } = await home.run("channel", "test", "telegram");
  expect(stdout + stderr).not.toContain("unconfirmed");
  expect(telegram.requests.some(({ method }) => method === "getMe")).toBe(true);
});

it("is not confirmed by a row that the hub did not write", async () => {
  await home.run("hub", "start");
  const value = buildConfirmation({ address: `${telegram.apiRoot}/`, secrets: [telegram.token] });
  const database = new Database(home.paths.database);
  database.prepare("INSERT INTO settings VALUES ('telegram', ?, ?, NULL)").run(CONFIRMED_KEY, value);
  database.close();
  await home.run("hub", "reload");
  expect(await readState("telegram")).toMatchObject({ state: "failed" });
  await home.run("channel", "test", "telegram");
  await home.run("hub", "stop");
  await home.run("doctor");
  await home.run("hub", "start");
  expect(await readState("telegram")).toMatchObject({ state: "failed" });
  expect(telegram.requests).toEqual([]);
});

it("is not confirmed without a terminal, nor from inside a session", async () => {
  const piped = await home.run("channel", "trust", "telegram");
  expect(piped.code).toBe(6);
  expect(piped.stderr).toContain("ATB_ENDPOINT_UNCONFIRMED");
  const inside = await home.run(
    "run",
    "--quiet",
    "--",
    process.execPath,
    MAIN,
    "channel",
    "trust",
    "telegram",
  );
  expect(inside.stdout + inside.stderr).toContain("ATB_SUPERVISED");
  expect(telegram.requests).toEqual([]);
  expect(readFileSync(home.paths.config, "utf8")).toContain(telegram.apiRoot);
});
