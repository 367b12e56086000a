/** `doctor` names each fault of a Telegram channel without a running hub, leaves its updates in place, and repeats no token. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import telegram from "../../../../channels/telegram/index.js";
import { systemClock } from "../../../../src/observe/clock.js";
import type { ChannelFinding } from "../../../../src/sdk/channel.js";
import { startTelegram, type TelegramEmulator } from "../../../support/telegram/emulator.js";

/** Beyond any healthy call to the loopback, on a slow machine too. */
const LIMIT_MS = 10_000;

describe("a diagnosis of Telegram without a hub", () => {
  let service: TelegramEmulator;

  beforeEach(async () => {
    service = await startTelegram({ username: "ara_atlas_bot" });
  });
  afterEach(() => service.stop());

  const diagnose = (over: { token?: string; limitMs?: number } = {}): Promise<ChannelFinding> =>
    telegram.diagnose!(
      { token: over.token ?? service.token, api_root: service.apiRoot, deliver_to: [] },
      systemClock,
      over.limitMs ?? LIMIT_MS,
    );

  it("names the account that answers, and leaves its updates where they are", async () => {
    const ara = service.user(1001);
    ara.send("hello");
    expect(await diagnose()).toEqual({ state: "ok", found: "@ara_atlas_bot answers", action: null });
    expect(service.world.updates.pending).toHaveLength(1);
  });

  it("names a chat that takes nothing", async () => {
    const { token, apiRoot } = service;
    service.user(1001);
    const config = { token, api_root: apiRoot, deliver_to: [1001, 1002] };
    expect(await telegram.diagnose!(config, systemClock, LIMIT_MS)).toMatchObject({
      state: "fail",
      found: "@ara_atlas_bot answers, but chat 1002 refuses messages (400 Bad Request: chat not found)",
    });
  });

  it("names a webhook", async () => {
    service.world.updates.webhook = "https://elsewhere.example/hook";
    const finding = await diagnose();
    expect(finding).toMatchObject({ state: "warn", found: expect.stringContaining("webhook") as string });
    expect(service.listRequests("deleteWebhook")).toEqual([]);
  });

  it("names another poller, which comes back after ours ended its poll", async () => {
    let stopped = false;
    const poll = async (): Promise<void> => {
      while (!stopped) await fetch(`${service.apiRoot}/bot${service.token}/getUpdates?timeout=50`);
    };
    const rival = poll().catch(() => undefined);
    await service.waitFor(() => service.world.updates.polling, "the other poller");
    expect(await diagnose()).toMatchObject({
      state: "warn",
      found: "@ara_atlas_bot answers, but another program takes its updates too",
    });
    stopped = true;
    await service.outage();
    await rival;
  });

  it("says what is wrong with a token, without repeating it", async () => {
    const wrong = "7000001:AAH-never-to-be-shown";
    const finding = await diagnose({ token: wrong });
    expect(finding).toMatchObject({
      state: "fail",
      found: "Telegram does not know this token (401 Unauthorized)",
      action: expect.stringContaining("@BotFather") as string,
    });
    expect(JSON.stringify(finding)).not.toContain(wrong);
  });

  it("waits no longer than it may", async () => {
    service.failNext("getMe", "hang");
    expect(await diagnose({ limitMs: 50 })).toMatchObject({
      state: "fail",
      found: expect.stringContaining("no response in time") as string,
    });
  });

  it("reports a service that cannot be reached", async () => {
    await service.outage();
    expect(await diagnose()).toMatchObject({ state: "fail", action: "Check the network and try again." });
  });
});
