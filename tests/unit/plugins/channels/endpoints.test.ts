/** The address of a service that is not the built-in one gets no token before a person confirms it, together with its tokens. */
import { describe, expect, it } from "vitest";
import { asId } from "../../../../src/model/ids.js";
import type { Channel, ChannelHealth } from "../../../../src/sdk/channel.js";
import { createClosedChannel } from "../../../../src/app/hub/closed-channel.js";
import { buildConfirmation, findForeignEndpoint } from "../../../../src/plugins/channels/endpoints.js";

const TELEGRAM = { token: "1:a", api_root: "https://api.telegram.org", deliver_to: [] };
const SLACK = { app_token: "xapp-1", bot_token: "xoxb-1", api_url: "https://slack.com/api/", deliver_to: [] };

describe("an address of a service", () => {
  it.each([
    ["telegram", TELEGRAM],
    ["telegram", { ...TELEGRAM, api_root: "https://api.telegram.org/" }],
    ["telegram", { ...TELEGRAM, api_root: "no address" }],
    ["slack", SLACK],
    ["slack", { ...SLACK, api_url: "https://slack.com/api" }],
    ["cli", {}],
  ])("of %s that is the built-in one, or none, needs no confirmation: %o", (id, settings) => {
    expect(findForeignEndpoint(id, settings)).toBeNull();
  });

  it.each([
    ["telegram", { ...TELEGRAM, api_root: "http://api.telegram.org" }],
    ["telegram", { ...TELEGRAM, api_root: "https://api.telegram.org:444" }],
    ["telegram", { ...TELEGRAM, api_root: "https://api.telegram.org@evil.example" }],
    ["telegram", { ...TELEGRAM, api_root: "https://api.telegram.org.evil.example" }],
    ["telegram", { ...TELEGRAM, api_root: "https://api.telegram.org/somewhere" }],
    ["telegram", { ...TELEGRAM, api_root: "http://127.0.0.1:9" }],
    ["slack", { ...SLACK, api_url: "http://localhost:9/api/" }],
    ["slack", { ...SLACK, api_url: "https://slack.com/" }],
  ])("of %s that is another one needs a confirmation: %o", (id, settings) => {
    expect(findForeignEndpoint(id, settings)).not.toBeNull();
  });

  it("is confirmed for itself and its tokens alone, and the tokens cannot be read from it", () => {
    const endpoint = { address: "http://a/", secrets: ["secret-1", "secret-2"] };
    expect(buildConfirmation(endpoint)).not.toContain("secret");
    expect(buildConfirmation({ ...endpoint, address: "http://b/" })).not.toBe(buildConfirmation(endpoint));
    expect(buildConfirmation({ ...endpoint, secrets: ["secret-1"] })).not.toBe(buildConfirmation(endpoint));
  });
});

describe("a channel whose address nobody has confirmed", () => {
  const update = { from: 1, text: "y" };
  const inbound = { kind: "code", identity: asId("chat:1") } as never;
  const channel: Channel = {
    start: () => Promise.reject(new Error("it was started")),
    deliver: () => Promise.reject(new Error("it was used")),
    settle: () => Promise.reject(new Error("it was used")),
    interpret: (raw) => (raw === update ? inbound : null),
    findSender: (raw) => (raw === update ? asId("chat:1") : null),
    respond: () => Promise.reject(new Error("it was used")),
    stop: () => Promise.resolve(),
  };

  it("still reads the updates that were stored before, and sends nothing", async () => {
    const reported: ChannelHealth[] = [];
    const parts = { id: "telegram", address: "http://a/", channel };
    const closed = createClosedChannel(parts, { report: (health) => reported.push(health) });
    await closed.start({ store: () => Promise.resolve(true) });
    expect(reported).toMatchObject([{ state: "failed" }]);
    expect(closed.interpret(update)).toBe(inbound);
    expect(closed.findSender?.(update)).toBe("chat:1");
    await closed.respond(update, {} as never);
    await expect(closed.deliver({} as never)).rejects.toThrow("unconfirmed address");
  });
});
