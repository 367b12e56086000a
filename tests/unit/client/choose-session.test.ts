import { expect, it } from "vitest";
import { chooseSession } from "../../../src/client/choose-session.js";
import type { ListedSession } from "../../../src/wire/listings.js";

function session(sessionId: string, label: string | null): ListedSession {
  return { sessionId, label, tool: "bash" } as ListedSession;
}

const SESSIONS = [session("11aa", "b"), session("b3f8", "nd"), session("b30c", null), session("77ee", "b30")];

it("takes a whole label or id before the beginning of another id", () => {
  expect(chooseSession(SESSIONS, "b").sessionId).toBe("11aa");
  expect(chooseSession(SESSIONS, "b30").sessionId).toBe("77ee");
  expect(chooseSession(SESSIONS, "b3f").sessionId).toBe("b3f8");
});

it("names only those sessions that match", () => {
  expect(() => chooseSession(SESSIONS, "b3")).toThrow(
    expect.objectContaining({ hint: "Name one: b3f8 (nd), b30c (bash)" }) as Error,
  );
  const twins = [...SESSIONS, session("22bb", "b")];
  expect(() => chooseSession(twins, "b")).toThrow(
    expect.objectContaining({ hint: "Name one: 11aa (b), 22bb (b)" }) as Error,
  );
});
