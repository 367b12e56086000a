/** A failed call counts as not sent only where no byte can have left, however the client wrapped the system's error. */
import { expect, it } from "vitest";
import { HttpError } from "../../../../src/sdk/http.js";
import {
  computeRetryAfterMs,
  describeConnectionFailure,
} from "../../../../src/sdk/service/connection-failure.js";

function withCode(code: string): Error {
  return Object.assign(new Error("request to https://example.org/TOKEN failed"), { code });
}

const NO_NAME = "no network: the server's name was not found";

it.each([
  ["a refused connection", withCode("ECONNREFUSED"), "the server refuses connections", "not_sent"],
  ["its cause", new TypeError("fetch failed", { cause: withCode("ENOTFOUND") }), NO_NAME, "not_sent"],
  ["its original", { original: withCode("EAI_AGAIN") }, NO_NAME, "not_sent"],
  ["no route", withCode("ENETUNREACH"), "no network", "not_sent"],
  ["a reset", withCode("ECONNRESET"), "the connection broke", "unknown"],
  ["a rare code", withCode("EPROTO"), "EPROTO", "unknown"],
  ["an answer that is cut", new HttpError("the answer was cut"), "the answer was cut", "unknown"],
  ["a time that is up", new DOMException("late", "TimeoutError"), "no response in time", "unknown"],
  ["text in place of a code", withCode("see https://example.org"), "the connection broke", "unknown"],
  ["nothing", undefined, "the connection broke", "unknown"],
])("describes %s without its text", (_, error, reason, certainty) => {
  expect(describeConnectionFailure(error)).toEqual({ reason, certainty });
});

it("follows an error that is its own cause only so far", () => {
  const error: { cause?: unknown } = {};
  error.cause = error;
  expect(describeConnectionFailure(error)).toMatchObject({ certainty: "unknown" });
});

it.each([
  [7, 7_000],
  [1e12, 3_600_000],
  [0, null],
  [-1, null],
  [Number.NaN, null],
  ["5", null],
  [undefined, null],
])("waits as long as the service asks, within an hour: %s", (seconds, ms) => {
  expect(computeRetryAfterMs(seconds)).toBe(ms);
});
