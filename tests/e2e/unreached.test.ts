/**
 * A prompt that reaches nobody is marked in the title, in `status` and at the end of the run. `--relay-required` starts the tool
 * only when a channel has a chat and an approver.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { HubStatus, ListedPrompt } from "../../src/wire/listings.js";
import { LOOK_EVERY_MS, UNREACHED_AFTER_MS } from "../../src/worker/session/reach.js";
import { eventually, HubHome } from "../support/hub-home.js";
import { type Rig, withRig } from "../support/rig/rig.js";
import { Refusal } from "../support/telegram/refusal.js";
import { startTelegram, type TelegramEmulator } from "../support/telegram/emulator.js";
import { trustAtTerminal } from "../support/trust-at-terminal.js";

const ARA = { name: "Ara", identities: ["telegram:1001"], role: "approver" };
const WRONG_TOKEN = "7000001:AAH-of-somebody-else_0123456789ab";
const ASKS = ["sh", "-c", `printf '\\033]2;my tool\\007Delete everything? [Y/n] '; read -r x; echo "got $x"`];
const MARK = "\u001b]2;⚠ not relayed: ";

interface Changes {
  readonly people?: unknown[];
  readonly token?: string;
  readonly prompts?: unknown;
}

/** The rig's own configuration with other people, another token, or other settings of prompts. */
function writeConfig(rig: Rig, over: Changes = {}): void {
  const { token, apiRoot } = rig.telegram;
  const telegram = { token: over.token ?? token, api_root: apiRoot, deliver_to: [1001] };
  const config = { people: over.people ?? [ARA], channels: { telegram }, prompts: over.prompts ?? {} };
  writeFileSync(rig.home.paths.config, stringify(config), { mode: 0o600 });
}

async function configure(rig: Rig, over: Changes): Promise<void> {
  writeConfig(rig, over);
  await rig.home.trust();
}

describe.concurrent("a question that reaches nobody", () => {
  it.each<[string, { people?: unknown[]; token?: string }, RegExp]>([
    ["the token is wrong", { token: WRONG_TOKEN }, /telegram: 401/],
    [
      "only viewers are listed",
      { people: [{ ...ARA, role: "viewer" }] },
      /nobody may answer over telegram: run `atlasbridge setup telegram`/,
    ],
  ])("is in the title, in `status` and in the last line when %s", (_, over, why) =>
    withRig(async (rig) => {
      await configure(rig, over);
      const run = rig.run(ASKS);
      await eventually(() => run.text.includes(MARK));
      expect(run.text.slice(run.text.indexOf(MARK))).toMatch(why);
      const { hub } = await rig.home.data<{ hub: HubStatus }>("status");
      expect(hub.unreached).toMatch(why);
      run.terminal.press("n\r");
      expect(await run.exited).toBe(0);
      expect(run.text).toContain("\u001b[23;2t\u001b]2;my tool\u0007");
      expect(run.text).toMatch(/1 question reached nobody: (?:telegram: |nobody may answer over telegram)/);
    }),
  );

  it("is marked when its card is refused, until a message comes from that chat", () =>
    withRig(async (rig) => {
      const ara = rig.telegram.user(1001);
      const chat = rig.telegram.world.chats.get(1001)!;
      await rig.home.run("hub", "start");
      await eventually(
        async () => (await rig.home.data<{ hub: HubStatus }>("status")).hub.unreached === null,
      );
      chat.closed = new Refusal(403, "Forbidden: bot was blocked by the user");
      const run = rig.run(ASKS);
      await eventually(() => run.text.includes(MARK));
      expect(run.text).toContain("telegram, chat 1001: telegram sendMessage: 403 Forbidden: bot was blocked");
      const { hub } = await rig.home.data<{ hub: HubStatus }>("status");
      expect(hub.channels.find(({ id }) => id === "telegram")?.refused).toHaveLength(1);
      chat.closed = null;
      ara.send("here I am again");
      await eventually(() => run.text.includes("\u001b[23;2t\u001b]2;my tool\u0007"));
      run.terminal.press("n\r");
      expect(await run.exited).toBe(0);
    }));

  it("loses its mark as soon as somebody can be reached", () =>
    withRig(async (rig) => {
      await configure(rig, { token: WRONG_TOKEN });
      const run = rig.run(ASKS);
      await eventually(() => run.text.includes(MARK));
      writeConfig(rig);
      expect((await trustAtTerminal(rig.home, "y")).code).toBe(0);
      await eventually(() => run.text.includes("\u001b[23;2t\u001b]2;my tool\u0007"));
      run.terminal.press("n\r");
      expect(await run.exited).toBe(0);
      expect(run.text).not.toContain("reached nobody");
    }));

  it("does not change the title with prompts.title_mark: false, and is reported at the end", () =>
    withRig(async (rig) => {
      await configure(rig, { token: WRONG_TOKEN, prompts: { title_mark: false } });
      const run = rig.run(ASKS);
      await run.terminal.waitFor(/Delete everything/);
      await eventually(async () => {
        const { hub } = await rig.home.data<{ hub: HubStatus | null }>("status");
        return hub?.openPrompts === 1 && hub.unreached !== null;
      });
      const [prompt] = await rig.home.data<ListedPrompt[]>("prompts");
      const marked = Date.parse(prompt?.createdAt ?? "") + UNREACHED_AFTER_MS + 2 * LOOK_EVERY_MS;
      await eventually(() => Date.now() > marked);
      expect(run.text).not.toContain(MARK);
      run.terminal.press("n\r");
      expect(await run.exited).toBe(0);
      expect(run.text).toMatch(/1 question reached nobody: (?:telegram: |nobody may answer over telegram)/);
    }));
});

describe.concurrent("--relay-required", () => {
  async function required(
    config: (telegram: TelegramEmulator) => object,
  ): Promise<{ code: number | null; stderr: string; ran: boolean }> {
    const telegram = await startTelegram();
    telegram.user(1001);
    const home = new HubHome();
    try {
      writeFileSync(home.paths.config, stringify(config(telegram)), { mode: 0o600 });
      await home.trust();
      const sign = join(home.folder, "it-ran");
      const { code, stderr } = await home.run("run", "--relay-required", "touch", sign);
      return { code, stderr, ran: existsSync(sign) };
    } finally {
      await home.close();
      await telegram.stop();
    }
  }
  const channels = ({ token, apiRoot }: TelegramEmulator, over: object = {}): object => ({
    telegram: { token, api_root: apiRoot, deliver_to: [1001], ...over },
  });

  it("starts the tool once a channel is connected that has a chat and an approver", async () => {
    const { code, ran } = await required((telegram) => ({ people: [ARA], channels: channels(telegram) }));
    expect({ code, ran }).toEqual({ code: 0, ran: true });
  });

  it("does not start the tool where the service was connected and no longer responds", async () => {
    const telegram = await startTelegram();
    telegram.user(1001);
    const home = new HubHome();
    try {
      const config = { people: [ARA], channels: channels(telegram) };
      writeFileSync(home.paths.config, stringify(config), { mode: 0o600 });
      await home.trust();
      await home.run("hub", "start");
      await eventually(async () => (await home.run("status")).stdout.includes("telegram · connected"));
      telegram.failNext("getMe", "hang", 100);
      const sign = join(home.folder, "it-ran");
      const { code, stderr } = await home.run("run", "--relay-required", "touch", sign);
      expect(stderr).toMatch(
        /prompts would reach nobody: telegram: .*(?:no response in time|did not answer)/,
      );
      expect(code).toBe(4);
      expect(existsSync(sign)).toBe(false);
    } finally {
      await home.close();
      await telegram.stop();
    }
  });

  it.each<[string, (telegram: TelegramEmulator) => object, number, RegExp]>([
    ["no channel", () => ({ people: [ARA] }), 2, /it configures no channel/],
    [
      "no people",
      (telegram) => ({ channels: channels(telegram) }),
      2,
      /telegram needs a chat in deliver_to and an approver in people/,
    ],
    [
      "no chat",
      (telegram) => ({ people: [ARA], channels: channels(telegram, { deliver_to: [] }) }),
      2,
      /telegram needs a chat in deliver_to and an approver in people/,
    ],
    [
      "a chat that does not exist",
      (telegram) => ({
        people: [{ ...ARA, identities: ["telegram:1002"] }],
        channels: channels(telegram, { deliver_to: [1002] }),
      }),
      4,
      /prompts would reach nobody: telegram, chat 1002: 400 Bad Request: chat not found → write \/start/,
    ],
    [
      "a wrong token",
      (telegram) => ({ people: [ARA], channels: channels(telegram, { token: WRONG_TOKEN }) }),
      4,
      /prompts would reach nobody: telegram: 401/,
    ],
    [
      "a rule that lets nobody answer",
      (telegram) => ({
        people: [ARA, { name: "Bo", identities: [], role: "approver" }],
        channels: channels(telegram),
        routes: [{ tools: ["touch"], approvers: ["Bo"] }],
      }),
      4,
      /the routes leave no approver for this session/,
    ],
  ])("does not start the tool with %s, and says what failed", async (_, config, code, why) => {
    const ended = await required(config);
    expect(ended).toMatchObject({ code, ran: false });
    expect(ended.stderr).toMatch(why);
  });
});
