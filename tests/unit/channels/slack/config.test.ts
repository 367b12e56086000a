/** The configuration of Slack needs two tokens, takes references to secrets, and refuses what cannot work without repeating a secret. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { belongsToService, slackSchema } from "../../../../channels/slack/config.js";
import { normaliseAddress } from "../../../../src/sdk/service/endpoint.js";
import { createSlack } from "../../../../channels/slack/create.js";
import slack from "../../../../channels/slack/index.js";
import { RecordingHost } from "../../../../src/compat/testing/recording-host.js";

const GOOD = { app_token: "xapp-1-A1-2-x", bot_token: "xoxb-1" };
const parse = (value: unknown) => v.safeParse(slackSchema, value);

describe("the configuration of Slack", () => {
  it("needs two tokens, and knows the rest", () => {
    expect(parse(GOOD).output).toEqual({ ...GOOD, api_url: "https://slack.com/api/", deliver_to: [] });
  });

  it.each([
    ["a missing token", { bot_token: "xoxb-1" }],
    ["an empty token", { ...GOOD, app_token: "" }],
    ["an unknown key", { ...GOOD, token: "x" }],
    ["a user for a place", { ...GOOD, deliver_to: ["U0ARA"] }],
    ["a channel's name", { ...GOOD, deliver_to: ["#general"] }],
    ["a number", { ...GOOD, deliver_to: [7] }],
  ])("refuses %s", (_, value) => {
    expect(parse(value).success).toBe(false);
  });

  it("takes references to secrets, which are filled in later", () => {
    expect(parse({ app_token: "${SLACK_APP_TOKEN}", bot_token: "file:slack.bot_token" }).success).toBe(true);
  });

  it("posts in the conversations of deliver_to, and in no other", () => {
    const config = v.parse(slackSchema, { ...GOOD, deliver_to: ["C0WORK", "D0ARA"] });
    expect(slack.places(config)).toEqual(["C0WORK", "D0ARA"]);
    expect(slack.places(v.parse(slackSchema, GOOD))).toEqual([]);
  });

  it.each([
    ["tokens that are none", { ...GOOD, bot_token: "hunter2" }],
    ["an address that is none", { ...GOOD, api_url: "ftp://slack.com" }],
  ])("is refused with %s once the secrets are in, without repeating them", (_, value) => {
    const config = { api_url: "https://slack.com/api/", deliver_to: [], ...value };
    expect(() => createSlack(config, new RecordingHost())).toThrow(
      expect.objectContaining({
        code: "ATB_CONFIG_INVALID",
        message: expect.not.stringContaining("hunter2") as string,
      }) as Error,
    );
  });

  it("connects to nothing when it is made", () => {
    const host = new RecordingHost();
    createSlack({ ...GOOD, api_url: "https://slack.com/api/", deliver_to: [] }, host);
    expect(host.health).toEqual([]);
  });

  it.each([
    ["https://slack.com/api", "https://slack.com/api/"],
    ["https://slack.com/api///", "https://slack.com/api/"],
    ["http://127.0.0.1:9?x=1", "http://127.0.0.1:9/"],
    ["ftp://slack.com", null],
    ["slack", null],
  ])("knows an address: %s", (given, address) => {
    expect(normaliseAddress(given)).toBe(address);
  });

  it.each([
    ["https://hooks.slack.com/actions/x", true],
    ["https://files.slack.com/upload", true],
    ["http://127.0.0.1:9/x", true],
    ["http://hooks.slack.com/x", false],
    ["https://slack.com.evil.example/x", false],
    ["https://evilslack.com/x", false],
    ["http://127.0.0.1:10/x", false],
    ["nonsense", false],
  ])("goes to no address that is not the service's: %s", (address, ours) => {
    expect(belongsToService(address, "http://127.0.0.1:9/api/")).toBe(ours);
  });
});
