/** The id of a tool's session is found in three steps, and is not taken where several are named or where it would be read as an option. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSessionId, findListedSessionId } from "../../../../../src/worker/runtimes/exec/session-id.js";
import { isSessionName } from "../../../../../src/worker/runtimes/protocol/session-name.js";

const OWN = ["session.id"];

describe("the id of a tool's session (driver spec: Session ID Recovery Chain)", () => {
  it("step 1: is read where the tool's own file says, before all else", () => {
    const events = [{ sessionId: "generic" }, { session: { id: "own" } }];
    expect(findSessionId(events, OWN)).toBe("own");
  });

  it.each([
    [{ sessionId: "a" }, "a"],
    [{ metadata: { session_id: "b" } }, "b"],
    [{ session_id: "c" }, "c"],
    [{ type: "thread.started", thread_id: "d" }, "d"],
    [{ session: { id: "e" } }, "e"],
  ])("step 2: is read in the usual places: %j", (event, id) => {
    expect(findSessionId([{ type: "noise" }, event], [])).toBe(id);
  });

  it("step 2: takes the usual places in the driver spec's order", () => {
    const all = { session_id: "third", metadata: { session_id: "second" }, sessionId: "first" };
    expect(findSessionId([all], [])).toBe("first");
    expect(findSessionId([{ ...all, sessionId: undefined }], [])).toBe("second");
    expect(findSessionId([{ session_id: "third" }], [])).toBe("third");
  });

  it("step 3: is taken from a list of the tool's sessions when that holds exactly one", () => {
    expect(findListedSessionId('[{"id":"only"}]', "id")).toBe("only");
    expect(findListedSessionId('[{"id":"one"},{"id":"two"}]', "id")).toBeNull();
    expect(findListedSessionId('[{"id":"one"},{"name":"two"}]', "id")).toBeNull();
    expect(findListedSessionId("[]", "id")).toBeNull();
    expect(findListedSessionId("no json", "id")).toBeNull();
  });

  it("is none where several are named", () => {
    expect(findSessionId([{ session_id: "one" }, { session_id: "two" }], [])).toBeNull();
    expect(findSessionId([{ session_id: "one" }, { session_id: "one" }], [])).toBe("one");
  });

  it("is none where all steps find nothing, and the next run starts a new session", () => {
    expect(findSessionId([{ type: "text" }], OWN)).toBeNull();
  });

  it("is never read as an option of a command", () => {
    expect(isSessionName("--dangerously-skip-permissions")).toBe(false);
    expect(isSessionName("-c")).toBe(false);
    expect(isSessionName("a b")).toBe(false);
    expect(isSessionName("01a20073-0fc6-79f1-a02c-f404157e1151")).toBe(true);
    fc.assert(fc.property(fc.string(), (text) => !isSessionName(`-${text}`)));
  });
});
