/** A message on the wire is checked against its table, and an error arrives as it was thrown, without the values that were found. */
import { describe, expect, it } from "vitest";
import { JSON_VALUES_MAX } from "../../../src/model/data/json-cost.js";
import { AtlasBridgeError } from "../../../src/model/errors.js";
import { JSON_LEVELS_MAX } from "../../../src/model/data/nesting.js";
import { fromRpcError, readEnvelope, RPC_ERROR, toRpcError } from "../../../src/wire/rpc.js";
import { check } from "../../../src/wire/validate.js";
import { HUB_CALLS } from "../../../src/wire/messages.js";

const read = (message: unknown): ReturnType<typeof readEnvelope> => readEnvelope(JSON.stringify(message));

describe("envelope", () => {
  it.each([
    ["text that is not JSON", "{", RPC_ERROR.parse, "the line is not JSON"],
    ["a batch", "[]", RPC_ERROR.invalidRequest, "batches are not supported: send one object per line"],
    ["a bare value", "7", RPC_ERROR.invalidRequest, "the line is not a JSON object"],
    ["no version", '{"method":"x","id":1}', RPC_ERROR.invalidRequest, 'the field "jsonrpc" must be "2.0"'],
  ])("says what is wrong with %s", (_what, line, code, message) => {
    expect(readEnvelope(line)).toMatchObject({ kind: "invalid", error: { code, message } });
  });

  it("keeps the id of a broken request, so that its sender learns which one it was", () => {
    expect(read({ jsonrpc: "2.0", id: 7, method: 5 })).toMatchObject({ kind: "invalid", id: 7 });
    expect(read({ jsonrpc: "2.0", id: 7, method: "a", params: [1] })).toMatchObject({
      kind: "invalid",
      id: 7,
    });
  });

  it("refuses unknown fields of the envelope", () => {
    expect(read({ jsonrpc: "2.0", id: 1, method: "a", extra: 1 })).toMatchObject({
      kind: "invalid",
      error: { message: 'unknown field "extra"' },
    });
  });

  it("ends the call that a broken answer names", () => {
    expect(read({ jsonrpc: "2.0", id: 3, result: 1, error: {} })).toMatchObject({ kind: "error", id: 3 });
  });

  it("refuses what is nested deeper than a question about what a tool may say", () => {
    const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}1${"]".repeat(levels)}`);
    const call = { jsonrpc: "2.0", id: 7, method: "a" };
    // params.event.content.call.input
    const deepest = { event: { content: { call: { input: nested(JSON_LEVELS_MAX) } } } };
    expect(read({ ...call, params: deepest })).toMatchObject({ kind: "request" });
    const text = `${"[".repeat(100_000)}1${"]".repeat(100_000)}`;
    expect(readEnvelope(`{"jsonrpc":"2.0","id":7,"method":"a","params":{"x":${text}}}`)).toMatchObject({
      kind: "invalid",
      id: 7,
    });
    expect(readEnvelope(`{"jsonrpc":"2.0","id":7,"result":${text}}`)).toMatchObject({ kind: "error", id: 7 });
  });

  it("parses no line that would stop the process for seconds", () => {
    const text = `{"jsonrpc":"2.0","id":7,"method":"a","params":{"x":[${"[],".repeat(JSON_VALUES_MAX)}[]]}}`;
    expect(readEnvelope(text)).toMatchObject({
      kind: "invalid",
      id: null,
      error: { message: `the line has more than ${JSON_VALUES_MAX} values: send them in parts` },
    });
  });

  it("shows a hostile field name without what a terminal would act on", () => {
    const envelope = read({ jsonrpc: "2.0", id: 1, method: "a", ["\u001b[2J\u202e".repeat(30)]: 1 });
    if (envelope.kind !== "invalid") throw new Error("accepted");
    expect(envelope.error.message).toMatch(/^[ -~…]{1,200}$/u);
  });
});

describe("errors on the wire", () => {
  it("arrive as the AtlasBridgeError that was thrown", () => {
    const thrown = new AtlasBridgeError("ATB_CHANNEL_UNKNOWN", "no channel teams", {
      hint: "telegram, slack",
    });
    const arrived = fromRpcError(toRpcError(thrown, "pairing.begin"), "pairing.begin");
    expect(arrived).toMatchObject({ code: thrown.code, message: thrown.message, hint: thrown.hint });
  });

  it("name only the place of a bug", () => {
    const sent = toRpcError(new TypeError("secret 123 of undefined"), "prompt.raise");
    expect(sent).toEqual({ code: RPC_ERROR.internal, message: "internal error in prompt.raise" });
    expect(fromRpcError(sent, "prompt.raise").code).toBe("ATB_HUB_REFUSED");
  });
});

describe("check", () => {
  const params = HUB_CALLS["session.state"].params;

  it.each([
    [{ sessionId: "s" }, "params.state: missing"],
    [{ sessionId: "s", state: "idle", more: 1 }, "params.more: unknown field"],
    [{ sessionId: 5, state: "idle" }, "params.sessionId: expected string, found a number"],
    [[], "params.sessionId: missing"],
  ])("names the place and the problem in %j", (value, problem) => {
    expect(check(params, value, "params")).toEqual({ ok: false, problem });
  });

  it("never repeats what was found", () => {
    const checked = check(params, { sessionId: "s", state: "rm -rf /" }, "params");
    expect(checked.ok ? "" : checked.problem).not.toContain("rm");
  });
});
