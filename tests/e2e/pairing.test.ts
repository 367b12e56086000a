/**
 * Pairing with Telegram hides the token, takes a code from the phone, confirms the person's name at the terminal, and edits the
 * configuration file once. A refused pairing writes nothing.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { HubHome, MAIN } from "../support/hub-home.js";
import { RealTerminal } from "../support/real-cli/terminal.js";
import { cleanEnv } from "../support/real-cli/workspace.js";
import { startTelegram, type TelegramEmulator } from "../support/telegram/emulator.js";

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

async function begin(
  comment: string,
): Promise<{ telegram: TelegramEmulator; home: HubHome; terminal: RealTerminal }> {
  const telegram = await startTelegram();
  const home = new HubHome();
  writeFileSync(
    join(home.folder, "config.yaml"),
    `${comment}\nchannels:\n  telegram:\n    api_root: ${telegram.apiRoot}\n`,
  );
  const env = { ...cleanEnv(home.folder), ATLASBRIDGE_HOME: home.folder };
  const args = [MAIN, "channel", "add", "telegram"];
  const terminal = new RealTerminal({ file: process.execPath, args, cwd: home.folder, env });
  open.push({ close: () => telegram.stop() }, home, terminal);
  return { telegram, home, terminal };
}

/** The emulator is not Telegram's own address. */
async function confirmAddress(terminal: RealTerminal): Promise<void> {
  await terminal.waitFor(/Is it your server\? \[y\/N\]/);
  terminal.press("y\r");
}

it("pairs a phone: the token is hidden, the code comes from the phone, the name is confirmed, and the file is edited once", async () => {
  const { telegram, home, terminal } = await begin("# my own comment");
  const ara = telegram.user(1001, "Ara");
  await terminal.waitFor(/bot token/);
  terminal.press(`${telegram.token}\r`);
  await confirmAddress(terminal);
  await terminal.waitFor(/send this code to @atlas_test_bot: {1,4}([a-z2-9]{8})/);
  const [, code = ""] = /: {1,4}([a-z2-9]{8})/.exec(terminal.screen) ?? [];
  expect(terminal.screen).toContain(`https://t.me/atlas_test_bot?start=${code}`);
  expect(terminal.screen).not.toContain(telegram.token);
  ara.send(`/start ${code}`);
  await terminal.waitFor(
    /Ara \(@user_1001\) \(telegram:1001\) has sent the code\.\s+Let Ara answer .*\? \[y\/N\]/,
  );
  terminal.press("y\r");
  expect(await terminal.exited).toBe(0);

  const config = readFileSync(join(home.folder, "config.yaml"), "utf8");
  expect(config).toContain("# my own comment");
  expect(config).toContain("token: file:telegram.token");
  expect(config).not.toContain(telegram.token);
  expect(config).toMatch(/deliver_to:\s+- 1001/);
  expect(config).toMatch(/name: Ara\s+identities:\s+- telegram:1001\s+role: approver/);
  expect(statSync(join(home.folder, "telegram.token")).mode & 0o777).toBe(0o600);
});

it("pairs nobody when the person at the terminal says no", async () => {
  const { telegram, home, terminal } = await begin("# empty");
  const stranger = telegram.user(6666, "Mallory");
  await terminal.waitFor(/bot token/);
  terminal.press(`${telegram.token}\r`);
  await confirmAddress(terminal);
  await terminal.waitFor(/send this code/);
  const [, code = ""] = /: {1,4}([a-z2-9]{8})/.exec(terminal.screen) ?? [];
  stranger.send(code);
  await terminal.waitFor(/Let Mallory answer/);
  terminal.press("\r");
  await terminal.exited;
  expect(terminal.screen).toContain("Nobody was paired.");
  expect(readFileSync(join(home.folder, "config.yaml"), "utf8")).not.toContain("6666");
});

it.each(["SIGINT", "SIGKILL"] as const)(
  "withdraws the code when the program that shows it ends by %s, and says so to whoever sends it then",
  async (signal) => {
    const { telegram, home, terminal } = await begin("# empty");
    const ara = telegram.user(1001, "Ara");
    await terminal.waitFor(/bot token/);
    terminal.press(`${telegram.token}\r`);
    await confirmAddress(terminal);
    await terminal.waitFor(/Waiting for the code/);
    const [, code = ""] = /: {1,4}([a-z2-9]{8})/.exec(terminal.screen) ?? [];
    process.kill(terminal.pid, signal);
    await terminal.exited;
    // Once the hub has answered somebody who connects after that, it knows that this connection has ended.
    await home.hub();
    ara.send(`/start ${code}`);
    await telegram.waitFor(
      () => telegram.posts(1001).find(({ text }) => text.includes("not valid any more")),
      "the refusal of the code",
    );
    expect(telegram.posts(1001).map(({ text }) => text)).not.toContainEqual(
      expect.stringContaining("Code received"),
    );
    expect(readFileSync(join(home.folder, "config.yaml"), "utf8")).not.toContain("1001");
  },
);

it("refuses a token that the service does not know, and writes nothing", async () => {
  const { home, terminal } = await begin("# empty");
  const before = readFileSync(join(home.folder, "config.yaml"), "utf8");
  await terminal.waitFor(/bot token/);
  terminal.press("123456789:AAwrong-token_0123456789abcdefghijk\r");
  await confirmAddress(terminal);
  await terminal.waitFor(/Telegram does not know this token[\s\S]*bot token/);
  terminal.press("\u0003");
  await terminal.exited;
  expect(terminal.screen.trimEnd()).toMatch(/bot token[^\n]*:$/);
  expect(readFileSync(join(home.folder, "config.yaml"), "utf8")).toBe(before);
  expect(existsSync(join(home.folder, "telegram.token"))).toBe(false);
});

it("sends no token to an address that the person at the terminal does not know", async () => {
  const { telegram, home, terminal } = await begin("# empty");
  const before = readFileSync(join(home.folder, "config.yaml"), "utf8");
  await terminal.waitFor(/bot token/);
  terminal.press(`${telegram.token}\r`);
  await terminal.waitFor(/Is it your server\?/);
  terminal.press("\r");
  expect(await terminal.exited).not.toBe(0);
  expect(terminal.screen).toContain("ATB_ENDPOINT_UNCONFIRMED");
  expect(telegram.requests).toEqual([]);
  expect(readFileSync(join(home.folder, "config.yaml"), "utf8")).toBe(before);
});
