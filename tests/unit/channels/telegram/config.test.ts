/**
 * The configuration of Telegram needs only a token, names chats by their numbers, and refuses unknown keys and invalid tokens or
 * addresses.
 */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { parseBotId, telegramSchema } from "../../../../channels/telegram/config.js";
import { normaliseAddress } from "../../../../src/sdk/service/endpoint.js";
import { createTelegram } from "../../../../channels/telegram/create.js";
import telegram from "../../../../channels/telegram/index.js";
import { RecordingHost } from "../../../../src/compat/testing/recording-host.js";

describe("channels.telegram", () => {
  const parse = (value: unknown) => v.safeParse(telegramSchema, value);

  it("needs only a token; without chats it is pairing only", () => {
    const config = v.parse(telegramSchema, { token: "${TELEGRAM_BOT_TOKEN}" });
    expect(config).toEqual({
      token: "${TELEGRAM_BOT_TOKEN}",
      api_root: "https://api.telegram.org",
      deliver_to: [],
    });
    expect(telegram.places(config)).toEqual([]);
  });

  it("posts in the chats of deliver_to, and in no other", () => {
    const config = v.parse(telegramSchema, { token: "${TELEGRAM_BOT_TOKEN}", deliver_to: [7, -1009] });
    expect(telegram.places(config)).toEqual(["7", "-1009"]);
  });

  it("knows whose a private chat is, and of a group that it is nobody's alone", () => {
    expect([telegram.personAt?.("7"), telegram.personAt?.("-1009")]).toEqual(["telegram:7", null]);
  });

  it("delivers to chats, which are numbers", () => {
    expect(
      telegram.places(v.parse(telegramSchema, { token: "1:a", deliver_to: [1001, -1001234567890] })),
    ).toEqual(["1001", "-1001234567890"]);
    expect(parse({ token: "1:a", deliver_to: ["@name"] }).success).toBe(false);
    expect(parse({ token: "1:a", deliver_to: [1.5] }).success).toBe(false);
  });

  it("refuses a key that it does not know", () => {
    expect(parse({ token: "1:a", delver_to: [1] }).success).toBe(false);
  });

  it.each([
    ["https://api.telegram.org", "https://api.telegram.org/"],
    ["https://proxy.example/telegram", "https://proxy.example/telegram/"],
    ["https://proxy.example/telegram///", "https://proxy.example/telegram/"],
    ["http://127.0.0.1:8081/?x=1#y", "http://127.0.0.1:8081/"],
    ["HTTPS://Example.org", "https://example.org/"],
    ["ftp://example.org", null],
    ["api.telegram.org", null],
    ["", null],
  ])("makes %j a root that keeps its path", (root, normal) => {
    expect(normaliseAddress(root)).toBe(normal);
  });

  it("reads the bot's id from its token", () => {
    expect(parseBotId("123456:AAF-x_y")).toBe(123456);
    for (const token of ["", "123456", ":x", "a:b", "1:x/../y", "1:x y", `${"9".repeat(20)}:x`])
      expect(parseBotId(token)).toBeNull();
  });

  it("is refused with a text that is no token, without repeating it", () => {
    const config = { token: "hunter2", api_root: "https://api.telegram.org", deliver_to: [] };
    expect(() => createTelegram(config, new RecordingHost())).toThrow(
      expect.objectContaining({
        code: "ATB_CONFIG_INVALID",
        message: expect.not.stringContaining("hunter2") as string,
      }),
    );
  });

  it("is refused with a text that is no address", () => {
    const config = { token: "1:x", api_root: "nowhere", deliver_to: [] };
    expect(() => createTelegram(config, new RecordingHost())).toThrow(/api_root is not an http/);
  });
});
