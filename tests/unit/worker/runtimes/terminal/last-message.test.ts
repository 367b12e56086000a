/** The last message of a tool is its own report, redacted, or else is read from its screen once that is at rest. */
import { describe, expect, it } from "vitest";
import { SAID_LENGTH_MAX } from "../../../../../src/model/tool-state.js";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { LastMessage } from "../../../../../src/worker/runtimes/terminal/last-message.js";

function rig(shown: string | null = "from the screen") {
  const clock = new ManualClock();
  const told: string[] = [];
  const screen = { shows: null as string | null };
  const words = new LastMessage({
    clock,
    onState: ({ state, said }) => told.push(said === undefined ? state : `${state}: ${said}`),
    readAnswer: () => screen.shows,
    safeText: (text) => text.replaceAll("secret", "…"),
  });
  screen.shows = shown;
  return { clock, told, words, screen };
}

describe("the last message of a tool", () => {
  it("is its own report, redacted, and stays when the screen comes to rest a moment later", () => {
    const { clock, told, words } = rig();
    words.noteState("working");
    words.noteReport("idle", "the secret is out");
    words.noteState("idle");
    clock.advance(10_000);
    expect(told).toEqual(["working", "idle: the … is out", "idle: the … is out"]);
  });

  it("is read from the screen, once that is at rest, where the tool reports nothing", () => {
    const { clock, told, words } = rig();
    words.noteState("working");
    words.noteState("idle");
    expect(told).toEqual(["working", "idle"]);
    clock.advance(1000);
    expect(told).toEqual(["working", "idle", "idle: from the screen"]);
  });

  it("is not read from a screen that goes on", () => {
    const { clock, told, words } = rig();
    words.noteState("working");
    words.noteState("idle");
    clock.advance(500);
    words.noteState("working");
    clock.advance(10_000);
    expect(told).toEqual(["working", "idle", "working"]);
  });

  it("is the tool's own report also when that comes after the screen's rest", () => {
    const { clock, told, words } = rig();
    words.noteState("working");
    words.noteState("idle");
    clock.advance(500);
    words.noteReport("idle", "own");
    clock.advance(10_000);
    expect(told).toEqual(["working", "idle", "idle: own"]);
  });

  it("is also reported of a turn that was over before the first look", () => {
    const { clock, told, words } = rig();
    words.noteState("idle");
    words.noteReport("idle", "one");
    words.noteState("idle");
    clock.advance(10_000);
    words.noteReport("idle", "two");
    expect(told).toEqual(["idle", "working", "idle: one", "idle: one", "working", "idle: two"]);
  });

  it("is read again after a turn that began right after the one before was read", () => {
    const { clock, told, words, screen } = rig("first");
    words.noteState("working");
    words.noteState("idle");
    clock.advance(1100);
    words.noteState("working");
    screen.shows = "second";
    words.noteState("idle");
    clock.advance(1000);
    expect(told).toEqual(["working", "idle", "idle: first", "working", "idle", "idle: second"]);
  });

  it("is nothing before its first task", () => {
    const { clock, told, words } = rig();
    words.noteState("idle");
    clock.advance(10_000);
    expect(told).toEqual(["idle"]);
  });

  it("is not the message of the turn before, which a stopped turn leaves on the screen", () => {
    const { clock, told, words } = rig("first turn");
    for (let turn = 1; turn <= 2; turn += 1) {
      words.noteState("working");
      words.noteState("idle");
      clock.advance(5000);
    }
    expect(told).toEqual(["working", "idle", "idle: first turn", "working", "idle"]);
  });

  it("is not an answer that stood on the screen before the first task", () => {
    const { clock, told, words } = rig("of the session that is continued");
    words.noteState("idle");
    words.noteState("working");
    words.noteState("idle");
    clock.advance(5000);
    expect(told).toEqual(["idle", "working", "idle"]);
  });

  it("is not read from the screen for a tool that reports its messages and was stopped", () => {
    const { clock, told, words } = rig("drawn otherwise: first turn");
    words.noteReport("idle", "first turn");
    clock.advance(5000);
    words.noteState("working");
    words.noteState("idle");
    clock.advance(5000);
    expect(told).toEqual(["working", "idle: first turn", "working", "idle"]);
  });

  it("survives a screen that shows the work of the turn a moment too long", () => {
    const { told, words } = rig();
    words.noteReport("idle", "own");
    words.noteState("working");
    words.noteState("idle");
    expect(told).toEqual(["working", "idle: own", "working", "idle: own"]);
  });

  it("is kept to its end when it is too long", () => {
    const { told, words } = rig();
    words.noteReport("idle", `${"😀".repeat(SAID_LENGTH_MAX)}What now?`);
    const said = told.at(-1)?.slice("idle: ".length) ?? "";
    expect(said.length).toBeLessThanOrEqual(SAID_LENGTH_MAX);
    expect(said).toMatch(/^…😀.*What now\?$/u);
  });

  it("is absent where the screen shows no answer", () => {
    const { clock, told, words } = rig(null);
    words.noteState("working");
    words.noteState("idle");
    clock.advance(10_000);
    expect(told).toEqual(["working", "idle"]);
  });
});
