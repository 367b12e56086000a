/**
 * Pairing with Slack prints the manifest, checks both tokens, their scopes and Socket Mode, and names each fault without
 * repeating a token.
 */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import slack from "../../../../channels/slack/index.js";
import { systemClock } from "../../../../src/observe/clock.js";
import { appManifest, startSlack, type SlackEmulator } from "../../../support/slack/emulator.js";

type Over = Partial<Record<"app_token" | "bot_token" | "api_url", string>>;

describe("pairing with Slack", () => {
  let service: SlackEmulator;

  beforeEach(async () => {
    service = await startSlack();
  });
  afterEach(() => service.stop());

  const config = (over: Over = {}) => ({
    app_token: service.appToken,
    bot_token: service.botToken,
    api_url: service.apiUrl,
    deliver_to: [],
    ...over,
  });
  const check = (over: Over = {}) => slack.pairing!.check(config(over), systemClock);
  const failure = async (promise: Promise<unknown>): Promise<{ message: string; hint: string }> =>
    promise.then(
      () => Promise.reject(new Error("it passed")),
      (error: unknown) => error as { message: string; hint: string },
    );

  it("prints the manifest that the package ships, and what to do with it", () => {
    const { preparation = "" } = slack.pairing!;
    const printed = preparation.slice(preparation.indexOf("{"), preparation.lastIndexOf("}") + 1);
    expect(JSON.parse(printed)).toEqual(JSON.parse(readFileSync("channels/slack/manifest.json", "utf8")));
    expect(preparation).toMatch(/From a manifest[\s\S]*connections:write[\s\S]*Bot User OAuth Token/);
  });

  it("asks for both tokens", () => {
    expect(slack.pairing!.secrets.map(({ key }) => key)).toEqual(["app_token", "bot_token"]);
  });

  it("says whose tokens they are and what to write where", async () => {
    const account = await check();
    expect(account.account).toBe("atlasbridge in Atlas Team");
    expect(account.invite("k7m2p9qx")).toMatch(/Atlas Team[\s\S]*\/atlasbridge k7m2p9qx/);
    expect(account.link("k7m2p9qx")).toBeNull();
  });

  it.each<[string, Over, string]>([
    ["two swapped tokens", { app_token: "xoxb-1", bot_token: "xapp-1" }, "are swapped"],
    ["a bot token that is none", { bot_token: "hunter2" }, "bot_token is not a bot token"],
    ["a user token", { bot_token: "xoxp-1-2" }, "bot_token is not a bot token"],
    ["an app-level token that is none", { app_token: "hunter2" }, "app_token is not an app-level token"],
    ["an address that is none", { api_url: "nowhere" }, "api_url is not an http"],
  ])("asks nobody about %s", async (_, over, message) => {
    const error = await failure(check(over));
    expect(error).toMatchObject({
      code: "ATB_PAIRING_FAILED",
      message: expect.stringContaining(message) as string,
    });
    expect(JSON.stringify([error.message, error.hint])).not.toContain("hunter2");
    expect(service.requests).toEqual([]);
  });

  it.each(appManifest().oauth_config.scopes.bot)("says exactly which scope is missing: %s", async (scope) => {
    service.world.scopes.delete(scope);
    expect(await failure(check())).toMatchObject({
      code: "ATB_PAIRING_FAILED",
      message: `the bot token lacks the scope ${scope}`,
      hint: expect.stringContaining("Bot Token Scopes") as string,
    });
  });

  it("names all that are missing at once, and the app-level one", async () => {
    service.world.scopes.clear();
    const all = appManifest().oauth_config.scopes.bot.join(", ");
    expect((await failure(check())).message).toBe(`the bot token lacks the scopes ${all}`);
    for (const scope of appManifest().oauth_config.scopes.bot) service.world.scopes.add(scope);
    service.forgetAppScope();
    expect((await failure(check())).message).toBe("the app-level token lacks the scope connections:write");
  });

  it("says which of the tokens Slack does not know", async () => {
    expect((await failure(check({ bot_token: "xoxb-wrong" }))).message).toBe(
      "Slack does not accept the bot token (xoxb-): invalid_auth",
    );
    expect((await failure(check({ app_token: "xapp-wrong" }))).message).toBe(
      "Slack does not accept the app-level token (xapp-): invalid_auth",
    );
  });

  it("notices that Socket Mode is off", async () => {
    Object.assign(service.world.manifest.settings, { socket_mode_enabled: false });
    expect((await failure(check())).hint).toContain("Socket Mode");
  });

  it("tells a dead network from a bad token, without repeating one", async () => {
    await service.outage();
    const error = await failure(check());
    expect(error).toMatchObject({ code: "ATB_CHANNEL_UNREACHABLE" });
    expect(error.message).toContain("the server refuses connections");
    for (const token of [service.botToken, service.appToken])
      expect(JSON.stringify(error)).not.toContain(token);
  });

  it("posts a greeting in the conversation, and refuses one that it cannot write to", async () => {
    const ara = service.user("U0ARA", "Ara");
    const place = service.channel("C0WORK", [ara]);
    await slack.pairing!.greet!(config(), place, "Hello", systemClock);
    expect(service.posts(place).map(({ text }) => text)).toEqual(["Hello"]);
    const closed = service.channel("C0ELSE", [ara], { invited: false });
    for (const bad of [closed, "C0NONE"])
      expect(await failure(slack.pairing!.greet!(config(), bad, "Hello", systemClock))).toMatchObject({
        code: "ATB_PAIRING_FAILED",
        hint: expect.stringContaining("/invite") as string,
      });
  });

  it("notices that the two tokens belong to different apps", async () => {
    const place = service.channel("C0WORK", [service.user("U0ARA", "Ara")]);
    const error = await failure(
      slack.pairing!.greet!(config({ app_token: "xapp-1-A0OTHER-2-x" }), place, "Hello", systemClock),
    );
    expect(error.message).toBe("the two tokens belong to different apps");
  });

  describe("and doctor", () => {
    const diagnose = (over: Over = {}) => slack.diagnose!(config(over), systemClock, 5_000);

    it("finds no fault in a working channel", async () => {
      expect(await diagnose()).toEqual({
        state: "ok",
        found: "atlasbridge in Atlas Team answers",
        action: null,
      });
      expect(service.world.gateway.records).toEqual([]);
    });

    it("names the fault of a channel that does not work", async () => {
      service.world.scopes.delete("files:write");
      expect(await diagnose()).toMatchObject({
        state: "fail",
        found: "the bot token lacks the scope files:write",
      });
    });
  });
});
