/**
 * Pairing with Telegram says whose token it is, trusts no invalid reply, and tells a dead network from a bad token without
 * repeating the token.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import telegram from "../../../../channels/telegram/index.js";
import { systemClock } from "../../../../src/observe/clock.js";
import { startTelegram, type TelegramEmulator } from "../../../support/telegram/emulator.js";

describe("pairing with Telegram", () => {
  let service: TelegramEmulator;

  beforeEach(async () => {
    service = await startTelegram({ username: "ara_atlas_bot" });
  });
  afterEach(() => service.stop());

  const check = (over: { token?: string; api_root?: string } = {}) =>
    telegram.pairing!.check(
      { token: service.token, api_root: service.apiRoot, deliver_to: [], ...over },
      systemClock,
    );

  it("says whose token it is and where its code can be sent", async () => {
    const account = await check();
    expect(account).toMatchObject({ account: "@ara_atlas_bot", botId: 7000001, username: "ara_atlas_bot" });
    expect(account.link("K7-42_x")).toBe("https://t.me/ara_atlas_bot?start=K7-42_x");
  });

  it("says what to do about a token that is refused", async () => {
    await expect(check({ token: "7000001:wrong" })).rejects.toMatchObject({
      code: "ATB_PAIRING_FAILED",
      message: "Telegram does not know this token (401 Unauthorized)",
      hint: expect.stringContaining("@BotFather") as string,
    });
  });

  it("sends nothing for a text that is no token", async () => {
    await expect(check({ token: "hunter2" })).rejects.toMatchObject({ code: "ATB_PAIRING_FAILED" });
    expect(service.requests).toEqual([]);
  });

  it("sends nothing to a text that is no address", async () => {
    await expect(check({ api_root: "nowhere" })).rejects.toMatchObject({ code: "ATB_PAIRING_FAILED" });
  });

  it("trusts no reply that does not say who the bot is", async () => {
    service.failNext("getMe", "hollow");
    await expect(check()).rejects.toMatchObject({ code: "ATB_CHANNEL_UNREACHABLE" });
  });

  it("tells a dead network from a bad token, without repeating the token", async () => {
    await service.outage();
    const error: unknown = await check().catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: "ATB_CHANNEL_UNREACHABLE",
      message: expect.stringContaining("the server refuses connections") as string,
    });
    expect(String(error)).not.toContain(service.token);
  });
});
