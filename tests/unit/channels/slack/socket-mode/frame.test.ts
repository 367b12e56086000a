/** A frame of Slack's Socket Mode is read as hello, disconnect or envelope, and is ignored when it is malformed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFrame } from "../../../../../channels/slack/socket-mode/frame.js";

const read = (message: unknown) => readFrame(JSON.stringify(message), false);
const envelope = { type: "interactive", envelope_id: "e1", payload: { type: "block_actions" } };

describe("a frame of Slack's Socket Mode", () => {
  it("is a hello with its number of connections, at least ours", () => {
    expect(read({ type: "hello", num_connections: 3 })).toEqual({ kind: "hello", connections: 3 });
    expect(read({ type: "hello" })).toEqual({ kind: "hello", connections: 1 });
    expect(read({ type: "hello", num_connections: "many" })).toEqual({ kind: "hello", connections: 1 });
  });

  it("is a disconnect with its reason, if that is a word", () => {
    expect(read({ type: "disconnect", reason: "warning" })).toEqual({
      kind: "disconnect",
      reason: "warning",
    });
    expect(read({ type: "disconnect", reason: "<b>" })).toEqual({ kind: "disconnect", reason: "unknown" });
    expect(read({ type: "disconnect" })).toEqual({ kind: "disconnect", reason: "unknown" });
  });

  it("is an envelope when it can be acknowledged", () => {
    expect(read(envelope)).toEqual({ kind: "envelope", type: "interactive" });
    expect(read({ ...envelope, type: "slash_commands" })).toMatchObject({ kind: "envelope" });
    const payload = { event: { type: "message" } };
    expect(read({ ...envelope, type: "events_api", payload })).toMatchObject({ kind: "envelope" });
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a number", 7],
    ["a list", []],
    ["nothing", {}],
    ["an unknown type", { ...envelope, type: "balloons" }],
    ["no id", { ...envelope, envelope_id: 7 }],
    ["no payload", { ...envelope, payload: null }],
    [
      "an event without its event",
      { ...envelope, type: "events_api", payload: { type: "app_rate_limited" } },
    ],
    ["an event of no type", { ...envelope, type: "events_api", payload: { event: {} } }],
    [
      "an event named like one of the client's own",
      { ...envelope, type: "events_api", payload: { event: { type: "close" } } },
    ],
    ["another one", { ...envelope, type: "events_api", payload: { event: { type: "disconnected" } } }],
    ["a third", { ...envelope, type: "events_api", payload: { event: { type: "ws_message" } } }],
  ])("is noise: %s", (_, message) => {
    expect(read(message)).toMatchObject({ kind: "noise" });
  });

  it("is noise when it is no text or no JSON", () => {
    expect(readFrame(new Uint8Array(2), true)).toMatchObject({ kind: "noise" });
    expect(readFrame('{"type":"hel', false)).toMatchObject({ kind: "noise" });
    fc.assert(
      fc.property(fc.anything(), (value) =>
        ["hello", "disconnect", "envelope", "noise"].includes(readFrame(value, false).kind),
      ),
    );
    fc.assert(
      fc.property(fc.json(), (text) =>
        ["hello", "disconnect", "envelope", "noise"].includes(readFrame(text, false).kind),
      ),
    );
  });
});
