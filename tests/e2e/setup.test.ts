/**
 * `setup` leads from nothing to a first prompt that is answered on the phone. A wrong token stays nowhere, every step can be
 * repeated, and a script can do all of it. `channel` and `people` show, test and undo what it did.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { finished, HubHome, MAIN, type Finished } from "../support/hub-home.js";
import { RealTerminal } from "../support/real-cli/terminal.js";
import { cleanEnv } from "../support/real-cli/workspace.js";
import {
  startTelegram,
  type Message,
  type TelegramEmulator,
  type User,
} from "../support/telegram/emulator.js";

const ARA = 1001;
const BO = 1002;
const TEAM = -1002;
const QUESTION = "Tap Yes on your phone to finish";
const CODE = /start=([a-z2-9]{8})/;

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

interface Desk {
  readonly telegram: TelegramEmulator;
  readonly home: HubHome;
  readonly ara: User;
  readonly config: () => string;
}

async function prepare(): Promise<Desk> {
  const telegram = await startTelegram();
  const home = new HubHome();
  open.push({ close: () => telegram.stop() }, home);
  const file = join(home.folder, "config.yaml");
  writeFileSync(file, `# mine\nchannels:\n  telegram:\n    api_root: ${telegram.apiRoot}\n`);
  return { telegram, home, ara: telegram.user(ARA, "Ara"), config: () => readFileSync(file, "utf8") };
}

function openTerminal({ home }: Desk, ...args: string[]): RealTerminal {
  const env = { ...cleanEnv(home.folder), ATLASBRIDGE_HOME: home.folder };
  const command = { file: process.execPath, args: [MAIN, ...args], cwd: home.folder, env };
  const terminal = new RealTerminal(command, { cols: 100, rows: 70 });
  open.push(terminal);
  return terminal;
}

/** The card of the test question, once it is there. */
function findQuestion({ telegram }: Desk, chat: number): Promise<Message> {
  return telegram.waitFor(
    () => telegram.posts(chat).find(({ text, buttons }) => text.includes(QUESTION) && buttons.length > 0),
    "the test question",
  );
}

/** A script: the addresses are confirmed and the token is in the environment. */
async function runScript(desk: Desk, send: (code: string) => void, ...flags: string[]): Promise<Finished> {
  const child = desk.home.start("setup", ...flags);
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      const before = CODE.test(printed);
      printed += chunk.toString();
      const code = CODE.exec(printed)?.[1];
      if (!before && code !== undefined) send(code);
    });
  return finished(child);
}

describe("setup at a terminal", () => {
  it("asks for the token again if it is wrong, pairs, and asks a question that the phone answers", async () => {
    const desk = await prepare();
    const { telegram, home, ara, config } = desk;
    const terminal = openTerminal(desk, "setup");
    await terminal.waitFor(/Send \/newbot[\s\S]*Paste the bot token here/);
    expect(terminal.screen).toMatch(/█▀▀▀▀▀█ .* █▀▀▀▀▀█/);
    terminal.press("123456789:AAwrong-token_0123456789abcdefghijk\r");
    await terminal.waitFor(/Is it your server\?/);
    terminal.press("y\r");
    await terminal.waitFor(/Telegram does not know this token[\s\S]*Paste the bot token here/);
    expect(config()).not.toContain("token");
    expect(existsSync(join(home.folder, "telegram.token"))).toBe(false);
    terminal.press(`${telegram.token}\r`);
    await terminal.waitFor(CODE);
    expect(terminal.screen).toContain("It belongs to @atlas_test_bot.");
    expect(terminal.screen).not.toContain(telegram.token);
    ara.send(`/start ${CODE.exec(terminal.screen)?.[1] ?? ""}`);
    await terminal.waitFor(
      /Ara \(@user_1001\) \(telegram:1001\) has sent the code\.\s+Let Ara answer the prompts of every session\? \[y\/N\]/,
    );
    terminal.press("y\r");
    const card = await findQuestion(desk, ARA);
    expect(telegram.posts(ARA).some(({ text }) => text.includes("Hello Ara"))).toBe(true);
    await terminal.waitFor(/to finish \[y\/N\]/);
    ara.press(card.id, 0);
    await terminal.waitFor(
      /Answered after \d+ s, over telegram\.\s+Its card says: ✅ Yes, by Ara, confirmed/,
    );
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen).toContain("Done: Ara may answer over telegram.");
    expect(config()).toContain("# mine");
    expect(terminal.screen).toContain("go to the phone only after 30s without a key");
    expect(existsSync(join(home.folder, "setup"))).toBe(false);
  });

  it("ends at Ctrl-C in whatever it asks, without a word about errors, and goes on there when it is repeated", async () => {
    const desk = await prepare();
    const { telegram, ara, config } = desk;
    const interruptAt = async (question: RegExp, lead: (terminal: RealTerminal) => Promise<void>) => {
      const terminal = openTerminal(desk, "setup");
      await lead(terminal);
      await terminal.waitFor(question);
      terminal.press("\u0003");
      await terminal.exited;
      expect(terminal.screen.trimEnd()).toMatch(new RegExp(`${question.source}$`));
    };
    const giveToken = async (terminal: RealTerminal) => {
      await terminal.waitFor(/Paste the bot token here \(it is not shown\):/);
      terminal.press(`${telegram.token}\r`);
    };
    const pair = async (terminal: RealTerminal) => {
      await terminal.waitFor(CODE);
      ara.send(`/start ${CODE.exec(terminal.screen)?.[1] ?? ""}`);
    };
    await interruptAt(/Paste the bot token here \(it is not shown\):/, async () => {});
    await interruptAt(/Is it your server\? \[y\/N\]/, giveToken);
    expect(config()).not.toContain("token");
    await interruptAt(/Let Ara answer .*\? \[y\/N\]/, async (terminal) => {
      await giveToken(terminal);
      await terminal.waitFor(/Is it your server\?/);
      terminal.press("y\r");
      await pair(terminal);
    });
    expect(config()).not.toContain("Ara");
    const last = openTerminal(desk, "setup", "--no-test");
    await pair(last);
    await last.waitFor(/Let Ara answer/);
    last.press("y\r");
    expect(await last.exited).toBe(0);
    expect(config()).toContain("Ara");
  });

  it("names the group that is paired, asks for the role of a second person, and in which chat prompts are wanted", async () => {
    const desk = await prepareAra();
    const { telegram, ara, config } = desk;
    const team = telegram.group(TEAM, "Team");
    team.members = 4;
    const bo = telegram.user(BO, "Bo");
    const send = async (terminal: RealTerminal, who: User): Promise<void> => {
      await terminal.waitFor(CODE);
      who.send(`/start@atlas_test_bot ${CODE.exec(terminal.screen)?.[1] ?? ""}`, { chat: TEAM });
    };
    const first = openTerminal(desk, "setup", "--pair", "--no-test");
    await send(first, ara);
    await first.waitFor(/Send the prompts to this chat\? \[y\/N\]/);
    expect(first.screen).toMatch(/has sent the code in the group Team \(4 members with the bot\)/);
    expect(first.screen).toContain("Everybody in Team will see every prompt, with its whole command.");
    expect(first.screen).toContain("That is Ara, approver already.");
    first.press("y\r");
    await first.waitFor(/in its private chat, too\. Send them only to the new chat/);
    first.press("n\r");
    expect(await first.exited).toBe(0);
    expect(first.screen).toContain("Prompts also go to 1001: who reads both sees each card twice.");
    expect(config()).toMatch(/deliver_to: \[ ?1001, ?-1002 ?\]/);

    const again = openTerminal(desk, "people", "add");
    await send(again, ara);
    await again.waitFor(/Send the prompts/);
    again.press("y\r");
    await again.waitFor(/only to the new chat/);
    again.press("y\r");
    expect(await again.exited).toBe(0);
    expect(config()).toMatch(/deliver_to: \[ ?-1002 ?\]/);

    const second = openTerminal(desk, "people", "add");
    await send(second, bo);
    await second.waitFor(
      /Let Bo answer the prompts of every session \(y\), or only see them \(v\)\? \[y\/v\/N\]/,
    );
    second.press("v\r");
    expect(await second.exited).toBe(0);
    expect(second.screen).toMatch(/✓ Bo \(telegram:1002\) may look now/);
    expect((await desk.home.run("people", "list")).stdout).toBe(
      "Ara · approver · telegram:1001\nBo · viewer · telegram:1002\n",
    );
  });

  async function prepareAra(): Promise<Desk> {
    const desk = await prepare();
    await desk.home.run("hub", "stop");
    writeFileSync(
      join(desk.home.folder, "config.yaml"),
      `channels:\n  telegram: { token: "${desk.telegram.token}", api_root: "${desk.telegram.apiRoot}", deliver_to: [1001] }\npeople: [{ name: Ara, identities: ["telegram:1001"], role: approver }]\nprompts: { deliver_after: 0s }\n`,
    );
    await desk.home.trust();
    return desk;
  }

  it("does not take an answer of another terminal for one of the phone", async () => {
    const desk = await prepareAra();
    const terminal = openTerminal(desk, "setup");
    await findQuestion(desk, ARA);
    const [asked] = await desk.home.data<{ shortId: string }[]>("prompts");
    expect((await desk.home.run("answer", asked?.shortId ?? "", "y")).code).toBe(0);
    expect(await terminal.exited).toBe(1);
    expect(terminal.screen).toMatch(/✗\s+Answered\s+after\s+\d+\s+s,\s+not\s+over\s+telegram:/);
    expect(terminal.screen).toContain("Not finished.");
  });

  it.each(["y", "n"])("says that the keyboard answered %s, when it did", async (key) => {
    const desk = await prepareAra();
    const terminal = openTerminal(desk, "setup");
    await findQuestion(desk, ARA);
    await terminal.waitFor(/to finish \[y\/N\]/);
    terminal.press(`${key}\r`);
    expect(await terminal.exited).toBe(1);
    expect(terminal.screen).toContain("Paired already: Ara may answer.");
    expect(terminal.screen).toMatch(
      /not\s+proved\s+that\s+this\s+answer\s+came\s+through\s+AtlasBridge\.\s+Its\s+card\s+says:\s+⌨️/,
    );
    expect(terminal.screen).toContain("Repeat the test with");
  });
});

describe("setup in a script", () => {
  async function preparePaired(): Promise<Desk> {
    const desk = await prepare();
    const { home, telegram } = desk;
    writeFileSync(join(home.folder, "telegram.token"), `${telegram.token}\n`);
    writeFileSync(
      join(home.folder, "config.yaml"),
      `# mine\nchannels:\n  telegram:\n    token: file:telegram.token\n    api_root: ${telegram.apiRoot}\n`,
    );
    await home.trust();
    return desk;
  }

  it("pairs a group with topics with one named account, and can be repeated; what it made can be tested and undone", async () => {
    const desk = await preparePaired();
    const { telegram, home, ara, config } = desk;
    const unpaired = await home.run("channel", "test", "telegram");
    expect([unpaired.code, unpaired.stdout]).toEqual([1, expect.stringContaining("nothing was posted")]);
    telegram.group(TEAM, "Team", { forum: true });
    const flags = ["--accept", "telegram:1001", "--deliver-after", "0s"];
    const send = (code: string): void => void ara.send(`/start@atlas_test_bot ${code}`, { chat: TEAM });
    const running = runScript(desk, send, ...flags, "--json");
    const card = await findQuestion(desk, TEAM);
    expect(card.threadId).not.toBeNull();
    expect(telegram.posts(TEAM).some(({ text }) => text.includes("manage topics"))).toBe(true);
    ara.press(card.id, 0, TEAM);
    const { code, stdout, stderr } = await running;
    expect(JSON.parse(stdout)).toMatchObject({
      status: "success",
      data: { account: "@atlas_test_bot", approvers: ["Ara"], test: { answer: "yes", state: "answered" } },
    });
    expect(stderr).toContain("2/3");
    // There is no terminal with the question.
    expect(stderr).toContain("A small program now asks a question on your phone.");
    // Nothing is drawn there.
    expect(stderr).toContain("Open this link on your phone, and press Start:\n  https://t.me/");
    expect(code).toBe(0);
    expect(config()).toMatch(/deliver_to:\s+- -1002/);

    const again = await home.run("setup", "--no-test");
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Paired already: Ara") as string,
    });
    expect(telegram.posts(TEAM).filter(({ text }) => text.includes("Hello"))).toHaveLength(1);

    expect((await home.run("channel", "list")).stdout).toMatch(/^telegram · .* to -1002 · Ara may answer$/m);
    expect((await home.run("people", "list")).stdout).toBe("Ara · approver · telegram:1001\n");
    const tested = await home.run("channel", "test", "telegram");
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining("✓ chat -1002") as string });
    const removed = await home.run("channel", "remove", "telegram");
    expect(removed.stdout).toContain("without another account: Ara");
    expect(removed.stdout).toContain("/deletebot");
    expect(config()).toBe("# mine\nchannels: {}\npeople: []\nprompts:\n  deliver_after: 0s\n");
    expect(existsSync(join(home.folder, "telegram.token"))).toBe(false);
    expect((await home.run("channel", "list")).stdout).toContain("No channel yet");
  });

  it("names a step that works when the address of the token is not confirmed: the same command in a terminal, once", async () => {
    const desk = await prepare();
    const { home, telegram, ara, config } = desk;
    const before = config();
    const file = join(home.folder, "bot.token");
    writeFileSync(file, `${telegram.token}\n`, { mode: 0o600 });
    const flags = ["--token-file", file, "--accept", "telegram:1001", "--deliver-after", "0s", "--no-test"];
    const refused = await home.run("setup", ...flags);
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain("run this command once in a terminal: it asks whether it is");
    expect(config()).toBe(before);

    const terminal = openTerminal(desk, "setup", ...flags);
    await terminal.waitFor(/Is it your server\?/);
    terminal.press("y\r");
    await terminal.waitFor(CODE);
    terminal.press("\u0003");
    await terminal.exited;

    const script = await runScript(desk, (code) => void ara.send(code), ...flags);
    expect([script.code, script.stderr]).toEqual([0, ""]);
    expect(script.stdout).toContain("Done: Ara may answer over telegram.");
  });

  it("knows a confirmed address although the running hub has not got the token's variable", async () => {
    const { home, telegram, ara, config } = await preparePaired();
    writeFileSync(join(home.folder, "config.yaml"), "{}\n");
    await home.run("hub", "start");
    writeFileSync(
      join(home.folder, "config.yaml"),
      `channels:\n  telegram:\n    token: \${TG}\n    api_root: ${telegram.apiRoot}\n`,
    );
    home.env["TG"] = telegram.token;
    const desk = { home, telegram, ara, config };
    const flags = ["--accept", "telegram:1001", "--no-test"];
    const { code, stderr } = await runScript(desk, (pairing) => void ara.send(pairing), ...flags);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("asks on standard error with --json, so that standard output is one JSON object", async () => {
    const desk = await prepare();
    const child = desk.home.start("setup", "--json");
    child.stdin?.end(`${desk.telegram.token}\n`);
    const { stdout, stderr } = await finished(child);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "ATB_ENDPOINT_UNCONFIRMED" } });
    expect(stderr).toContain("Paste the bot token here");
  });

  it("pairs nobody but the named account", async () => {
    const desk = await preparePaired();
    const mallory = desk.telegram.user(6666, "Mallory");
    const { code, stderr } = await runScript(
      desk,
      (pairing) => void mallory.send(pairing),
      "--accept",
      "telegram:1001",
    );
    expect(code).toBe(4);
    expect(stderr).toContain("--accept allows only telegram:1001");
    expect(desk.config()).not.toContain("6666");
  });

  it.each(["1001", "telegram:", "slack:1001"])(
    "refuses at once to pair only %s, which nobody is",
    async (who) => {
      const { home } = await preparePaired();
      const { code, stdout, stderr } = await home.run("setup", "--accept", who);
      expect(code).toBe(4);
      expect(stderr).toContain("Accounts there are written telegram:ID");
      expect(stdout).not.toMatch(CODE);
    },
  );

  it("takes a named token instead of a stored one, and keeps the stored one if the service refuses it", async () => {
    const { home, telegram } = await preparePaired();
    const stored = join(home.folder, "telegram.token");
    const named = join(home.folder, "named");
    writeFileSync(named, "bad\n");
    const bad = await home.run("setup", "--token-file", named);
    expect([bad.code, bad.stdout]).toEqual([6, expect.not.stringContaining("The token is valid")]);
    expect(readFileSync(stored, "utf8")).toBe(`${telegram.token}\n`);
    writeFileSync(named, "");
    const empty = await home.run("setup", "--token-file", named);
    expect([empty.code, empty.stderr]).toEqual([4, expect.stringContaining("no token was given")]);
  });

  it("names the place of a mistake in the configuration file, and leaves the file alone", async () => {
    const desk = await prepare();
    const broken = "channels: { telegram: [\n";
    writeFileSync(join(desk.home.folder, "config.yaml"), broken);
    for (const command of [
      ["setup"],
      ["channel", "list"],
      ["channel", "remove", "telegram"],
      ["people", "list"],
    ]) {
      const child = desk.home.start(...command);
      child.stdin?.end("7000001:AAH-some-token\n");
      const { code, stderr } = await finished(child);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/config\.yaml:\d+:\d+: .*ATB_CONFIG_INVALID/),
      ]);
    }
    expect(desk.config()).toBe(broken);
  });

  it("fails without a token, and says how to give it", async () => {
    const desk = await prepare();
    const child = desk.home.start("setup");
    child.stdin?.end();
    const { code, stderr } = await finished(child);
    expect(code).toBe(4);
    expect(stderr).toContain("--token-file");
  });
});
