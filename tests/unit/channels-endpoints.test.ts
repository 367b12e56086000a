import { describe, expect, it } from "vitest";
import { confirmationOf, foreignEndpointOf } from "../../src/app/channels/endpoints.js";

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
  ])("of %s that is the built-in one, or none, needs nobody's word: %o", (id, settings) => {
    expect(foreignEndpointOf(id, settings)).toBeNull();
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
  ])("of %s that is another one does: %o", (id, settings) => {
    expect(foreignEndpointOf(id, settings)).not.toBeNull();
  });

  it("is confirmed for itself and its tokens alone, and the tokens cannot be read from it", () => {
    const endpoint = { address: "http://a/", secrets: ["secret-1", "secret-2"] };
    expect(confirmationOf(endpoint)).not.toContain("secret");
    expect(confirmationOf({ ...endpoint, address: "http://b/" })).not.toBe(confirmationOf(endpoint));
    expect(confirmationOf({ ...endpoint, secrets: ["secret-1"] })).not.toBe(confirmationOf(endpoint));
  });
});
