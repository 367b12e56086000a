/** The line at the start of a run names the channels in which a person can answer prompts of the session. */
import { describe, expect, it } from "vitest";
import { findRelayTargets, formatStartLine } from "../../../../../src/app/run/relay/relay-targets.js";
import type { Config } from "../../../../../src/config/schema.js";

const ARA = { name: "Ara", identities: ["telegram:1"], role: "approver" } as const;
const VERA = { name: "Vera", identities: ["telegram:2"], role: "viewer" } as const;
const SESSION = { tool: "sh", label: "vera", cwd: "/home/ara" };

function lineFor(over: Partial<Pick<Config, "people" | "routes">>, connected: string[] = []): string {
  const channels = { telegram: { deliver_to: [1001] } } as unknown as Config["channels"];
  const config = { channels, people: [ARA, VERA], routes: [], ...over };
  return formatStartLine({
    relay: true,
    targets: findRelayTargets(config, SESSION, connected),
    sessionId: "0123456789",
    problem: null,
  });
}

describe("the line at the start", () => {
  it("names the channels that a prompt of this session goes to", () => {
    const told = "atlasbridge: prompts go to telegram (Ara) once connected · session 01234567";
    expect(lineFor({})).toBe(told);
    expect(lineFor({ routes: [{ labels: ["other"], approvers: ["Vera"] }] })).toBe(told);
    expect(lineFor({ routes: [{ labels: ["vera"], deliver_to: ["telegram:1001"] }] })).toBe(told);
  });

  it("says without a condition where they go once the hub has reported that the channel is connected", () => {
    expect(lineFor({}, ["cli", "telegram"])).toBe(
      "atlasbridge: prompts go to telegram (Ara) · session 01234567",
    );
    expect(lineFor({}, ["slack"])).toContain("telegram (Ara) once connected");
  });

  it.each([
    { labels: ["vera"], approvers: ["Vera"] },
    { labels: ["vera"], deliver_to: ["slack:T0/C0"] },
  ])("does not name a channel where the routes leave nobody: %j", (route) => {
    expect(lineFor({ routes: [route] })).toBe(
      "atlasbridge: the routes leave no approver on telegram for this session · session 01234567",
    );
  });

  it("says what to do where there is no channel", () => {
    const targets = { ready: [], unready: [] };
    expect(formatStartLine({ relay: true, targets, sessionId: "0123456789", problem: null })).toBe(
      "atlasbridge: prompts stay on this machine: `atlasbridge setup` adds your phone · session 01234567",
    );
  });

  it("says of a channel that nobody can answer there at all", () => {
    expect(lineFor({ people: [VERA] })).toContain("nobody is paired with telegram (`atlasbridge setup`)");
  });
});
