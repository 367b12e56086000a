/** Stopping a tool after a No presses its interrupt key only while the tool works, and not when it is paused or somebody types. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import {
  isStoppable,
  stopTool,
  type StopOptions,
} from "../../../../../src/worker/runtimes/terminal/stop-tool.js";
import { drive } from "../../answer/fake-port.js";

type Doing = "works" | "rests" | "asks" | "ended" | "shows something else";

const STATES = {
  works: "working",
  rests: "idle",
  asks: "waiting",
  ended: null,
  "shows something else": null,
} as const;

/** What the tool does from these instants (ms) on; `pressed`: what the key makes of it, after 200 ms. */
function tool(days: readonly (readonly [number, Doing])[], pressed: Doing | null = null) {
  const clock = new ManualClock();
  const start = clock.monotonic();
  const keys: number[] = [];
  const since = (): number => clock.monotonic() - start;
  const now = (): Doing => {
    const [key] = keys;
    if (key !== undefined && pressed !== null && since() >= key + 200) return pressed;
    return days.findLast(([from]) => from <= since())?.[1] ?? "rests";
  };
  const options: StopOptions = {
    clock,
    prompts: {
      get isAsking() {
        return now() === "asks";
      },
    },
    terminal: {
      get alive() {
        return now() !== "ended";
      },
    },
    state: () => STATES[now()],
    typedKeys: { typedAt: -Infinity },
    controls: {
      interrupt: () => {
        keys.push(since());
        return null;
      },
    },
  };
  return { clock, options, keys, stop: (halt?: AbortSignal) => drive(clock, stopTool(options, halt)) };
}

describe("stopping a tool that was told no", () => {
  it.each<[string, Parameters<typeof tool>, boolean, string, number]>([
    ["works and stops at the key", [[[0, "works"]], "rests"], true, "it was interrupted", 1],
    ["goes to work a while later", [[[900, "works"]], "rests"], true, "it was interrupted", 1],
    ["rests", [[[0, "rests"]]], true, "it went to rest by itself", 0],
    [
      "ends",
      [
        [
          [0, "rests"],
          [400, "ended"],
        ],
      ],
      true,
      "it ended",
      0,
    ],
    ["ends at the key", [[[0, "works"]], "ended"], true, "it ended", 1],
    [
      "shows what nobody can read",
      [[[0, "shows something else"]]],
      false,
      "it was not seen to work for long enough to be interrupted",
      0,
    ],
    [
      "shows what nobody can read at the key",
      [[[0, "works"]], "shows something else"],
      false,
      "its key was pressed, and it was not seen at rest",
      1,
    ],
    ["works on", [[[0, "works"]], "works"], false, "its key was pressed, and it works on", 1],
    ["asks something else", [[[0, "asks"]]], false, "it asks something else", 0],
    [
      "asks in the middle of its work",
      [
        [
          [0, "rests"],
          [300, "asks"],
        ],
      ],
      false,
      "it asks something else",
      0,
    ],
    ["asks at the key", [[[0, "works"]], "asks"], false, "it asks something else", 1],
  ])("%s", async (_, [days, pressed], stopped, evidence, pressedTimes) => {
    const { keys, stop } = tool(days, pressed);
    expect(await stop()).toEqual({ stopped, evidence });
    expect(keys).toHaveLength(pressedTimes);
  });

  it("presses nothing once AtlasBridge is paused", async () => {
    const { keys, stop } = tool([[0, "works"]]);
    expect(await stop(AbortSignal.abort())).toEqual({ stopped: false, evidence: "AtlasBridge was paused" });
    expect(keys).toEqual([]);
  });

  it("presses nothing once somebody types at the terminal, as the tool may then work on a new task", async () => {
    const { clock, options, keys } = tool([[600, "works"]]);
    const typedAt = clock.monotonic() + 400;
    const typing = {
      ...options,
      typedKeys: {
        get typedAt() {
          return clock.monotonic() >= typedAt ? typedAt : -Infinity;
        },
      },
    };
    expect(await drive(clock, stopTool(typing))).toEqual({
      stopped: false,
      evidence: "somebody typed at the terminal",
    });
    expect(keys).toEqual([]);
  });

  it("gives up where the key is refused every time", async () => {
    const { clock, options } = tool([[0, "works"]]);
    const refusing = { ...options, interrupt: () => "it asks a question: answer that" };
    expect(await drive(clock, stopTool(refusing))).toMatchObject({ stopped: false });
  });

  it.each([
    [["esc"], [{}], [{}], true],
    [[], [{}], [{}], false],
    [["esc"], [], [{}], false],
    [["esc"], [{}], [], false],
  ] as const)(
    "is offered with the keys %j, the pictures of work %j and of rest %j: %s",
    (interrupt, working, idle, offered) => {
      expect(isStoppable({ interrupt, states: { working: working as never, idle: idle as never } })).toBe(
        offered,
      );
    },
  );
});
