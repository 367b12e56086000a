/**
 * A failed call of Slack's Web API says whether it was sent, whether a retry helps and how long to wait, and repeats nothing of
 * the call.
 */
import { webApi } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import { SlackCallError, toDeliveryError, toFailure } from "../../../../../channels/slack/web-api/failure.js";

const platform = (data: object): unknown => new webApi.WebAPIPlatformError({ ok: false, ...data } as never);
const broken = (cause: unknown): unknown =>
  new webApi.WebAPIRequestError(Object.assign(new TypeError("fetch failed"), { cause }));
const coded = (code: string): Error => Object.assign(new Error("at 10.0.0.1 with xoxb-1"), { code });

describe("a failed call of Slack's Web API", () => {
  it.each([
    [{ error: "invalid_auth" }, "unauthorized", "invalid_auth"],
    [
      { error: "missing_scope", needed: "chat:write", provided: "commands" },
      "unauthorized",
      "missing_scope (chat:write)",
    ],
    [{ error: "missing_scope", needed: "<b>" }, "unauthorized", "missing_scope"],
    [{ error: "not_in_channel" }, "refused", "not_in_channel (invite the app there: /invite @AtlasBridge)"],
    [
      { error: "invalid_blocks", response_metadata: { messages: ["[ERROR] rm -rf"] } },
      "refused",
      "invalid_blocks",
    ],
    [{ error: "ratelimited" }, "rate_limited", "ratelimited"],
    [{ error: "fatal_error" }, "lost", "fatal_error"],
    [{ error: "<html>token xoxb-1</html>" }, "lost", "the response is not from Slack"],
    [{}, "lost", "the response is not from Slack"],
  ])("of the service: %j", (data, kind, reason) => {
    expect(toFailure(platform(data))).toMatchObject({ kind, reason });
  });

  it("knows how long to wait, within reason", () => {
    expect(toFailure(new webApi.WebAPIRateLimitedError(30))).toMatchObject({
      kind: "rate_limited",
      retryAfterMs: 30_000,
    });
    expect(toFailure(new webApi.WebAPIRateLimitedError(999_999))).toMatchObject({ retryAfterMs: 3_600_000 });
    expect(toFailure(new webApi.WebAPIRateLimitedError(0))).toMatchObject({ retryAfterMs: null });
  });

  it.each([
    [500, "lost"],
    [503, "lost"],
    [404, "refused"],
    [429, "rate_limited"],
  ])("of HTTP: %i", (status, kind) => {
    expect(toFailure({ statusCode: status })).toMatchObject({ kind });
  });

  it.each([
    ["ECONNREFUSED", "unreachable", "the server refuses connections"],
    ["ENOTFOUND", "unreachable", "no network: the server's name was not found"],
    ["UND_ERR_CONNECT_TIMEOUT", "unreachable", "no response in time"],
    ["ECONNRESET", "lost", "the connection broke"],
    ["UND_ERR_SOCKET", "lost", "the connection broke"],
  ])("of the network: %s", (code, kind, reason) => {
    expect(toFailure(broken(coded(code)))).toEqual({ kind, reason, retryAfterMs: null });
  });

  it("of a timeout, and of a connection that broke without a reason", () => {
    expect(toFailure(broken(new DOMException("late", "TimeoutError")))).toMatchObject({
      kind: "lost",
      reason: "no response in time",
    });
    expect(toFailure(new TypeError("terminated"))).toMatchObject({
      kind: "lost",
      reason: "the connection broke",
    });
    expect(toFailure(undefined)).toMatchObject({ kind: "lost" });
  });

  it("never repeats the contents of a client's error", () => {
    const reasons = [
      broken(coded("ECONNRESET")),
      platform({ error: "xoxb-1 is bad" }),
      coded("lower case"),
    ].map((error) => toFailure(error).reason);
    expect(reasons.join("\n")).not.toContain("xoxb");
  });

  it.each([
    ["channel_not_found", "not_sent", true],
    ["invalid_blocks", "not_sent", true],
    ["not_in_channel", "not_sent", false],
    ["invalid_auth", "not_sent", false],
    ["internal_error", "unknown", false],
  ])("says to the hub whether it was sent and whether a retry helps: %s", (error, certainty, permanent) => {
    const failed = new SlackCallError("chat.postMessage", toFailure(platform({ error })));
    expect(toDeliveryError(failed)).toMatchObject({ name: "DeliveryError", certainty, permanent });
  });

  it("leaves errors of our own alone", () => {
    const bug = new TypeError("undefined is not a function");
    expect(toDeliveryError(bug)).toBe(bug);
  });
});
