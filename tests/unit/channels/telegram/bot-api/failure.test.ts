/** A failed call of Telegram's Bot API says whether it was sent and how long to wait, and holds no token and no text of a card. */
import { describe, expect, it } from "vitest";
import {
  TelegramCallError,
  toDeliveryError,
  toFailure as read,
  isHarmlessEditRefusal,
  isMarkupRefusal,
  isStaleQuery,
} from "../../../../../channels/telegram/bot-api/failure.js";
import { HttpError } from "../../../../../src/sdk/http.js";

/** No form tells that it is one. */
const TOKEN = "1:TOKEN";

const toFailure = (thrown: unknown): ReturnType<typeof read> => read(thrown, TOKEN);

/** As telegraf throws it. */
function refused(error_code: number, description: string, parameters?: Record<string, unknown>): unknown {
  return { response: { error_code, description, parameters }, on: { payload: { text: "secret text" } } };
}

/** As node-fetch throws it, address included. */
function network(code: string | undefined, type = "system"): unknown {
  const message = "request to https://api.telegram.org/bot1:TOKEN/sendMessage failed";
  return { name: "FetchError", message, type, code };
}

describe("a failed call of Telegram's Bot API", () => {
  it.each([
    [
      "rate limit",
      refused(429, "Too Many Requests: retry after 3", { retry_after: 3 }),
      "not_sent",
      false,
      3000,
    ],
    ["revoked token", refused(401, "Unauthorized"), "not_sent", false, null],
    ["unknown token", refused(404, "Not Found"), "not_sent", false, null],
    ["wrong chat", refused(400, "Bad Request: chat not found"), "not_sent", true, null],
    ["blocked", refused(403, "Forbidden: bot was blocked by the user"), "not_sent", true, null],
    ["bad gateway", refused(502, "Bad Gateway"), "unknown", false, null],
    ["no route", network("ECONNREFUSED"), "not_sent", false, null],
    ["no name server", network("EAI_AGAIN"), "not_sent", false, null],
    ["reset", network("ECONNRESET"), "unknown", false, null],
    ["a login page", network(undefined, "invalid-json"), "unknown", false, null],
    ["anything else", new TypeError("boom"), "unknown", false, null],
  ])("tells the core what it needs: %s", (_, thrown, certainty, permanent, retryAfterMs) => {
    const error = toDeliveryError(new TelegramCallError("sendMessage", toFailure(thrown)));
    expect(error).toMatchObject({ name: "DeliveryError", certainty, permanent, retryAfterMs });
  });

  it("is a lost call when our own watchdog ended it", () => {
    expect(toFailure(new HttpError("no response in time"))).toMatchObject({
      kind: "lost",
      reason: "no response in time",
    });
  });

  it("repeats neither the address nor our own text that the service quotes", () => {
    const quoted = refused(
      400,
      `Bad Request: can't parse entities: Unsupported start tag "password=1" at byte offset 3`,
    );
    const errors = [
      quoted,
      network("ECONNRESET"),
      network("TOKEN in here"),
      new Error("https://x/bot1:TOKEN/"),
    ];
    const spoken = errors
      .map((thrown) => new TelegramCallError("sendMessage", toFailure(thrown)).message)
      .join();
    expect(spoken).not.toMatch(/TOKEN|password|https/);
  });

  it.each([400, 502])("hides the token, and what looks like one, in a service's words with %i", (status) => {
    const other = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
    const long = `${"x".repeat(160)} ${other}`;
    for (const words of [`no bot${TOKEN} here`, `no bot${other} here`, long])
      expect(toFailure(refused(status, words)).reason).not.toMatch(/TOKEN|AAHd/);
    expect(toFailure(refused(status, `no bot${TOKEN} here`)).reason).toBe(`${status} no bot[7 hidden] here`);
  });

  it("names the new id of a group that moved", () => {
    const moved = refused(400, "Bad Request: group chat was upgraded to a supergroup chat", {
      migrate_to_chat_id: -1009,
    });
    expect(toFailure(moved).reason).toContain("its new chat id is -1009");
  });

  it.each([
    [Number.NaN, null],
    [-1, null],
    ["5", null],
    [0, null],
    [1e12, 3_600_000],
  ])("ignores an invalid waiting time: %s", (retry_after, retryAfterMs) => {
    expect(toFailure(refused(429, "Too Many Requests", { retry_after }))).toMatchObject({
      retryAfterMs,
    });
  });

  it("knows the refusals that are harmless", () => {
    const as = (description: string): TelegramCallError =>
      new TelegramCallError("x", toFailure(refused(400, `Bad Request: ${description}`)));
    expect(isHarmlessEditRefusal(as("message is not modified: specified new …"))).toBe(true);
    expect(isHarmlessEditRefusal(as("message to edit not found"))).toBe(true);
    expect(isHarmlessEditRefusal(as("message can't be edited"))).toBe(false);
    expect(isMarkupRefusal(as("can't parse entities: Unclosed start tag at byte offset 1"))).toBe(true);
    expect(isStaleQuery(as("query is too old and response timeout expired or query ID is invalid"))).toBe(
      true,
    );
  });

  it("passes on errors that are no failed call", () => {
    const bug = new TypeError("bug");
    expect(toDeliveryError(bug)).toBe(bug);
  });
});
