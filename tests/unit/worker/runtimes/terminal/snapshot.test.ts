/** A snapshot names every trouble that a health check promises to find, and none of a session that works. */
import { describe, expect, it } from "vitest";
import { asId, type SessionId } from "../../../../../src/model/ids.js";
import {
  createSnapshot,
  NOTHING_SHOWN_MS,
  type SnapshotParts,
} from "../../../../../src/worker/runtimes/terminal/snapshot.js";
import type { ToolHealth } from "../../../../../src/sdk/adapter.js";

const HEALTHY: ToolHealth = { isOpen: true, isRead: true, inputWaitsMs: 0 };
const options = { sessionId: asId<SessionId>("s"), adapter: { name: "claude" } } as never;

function takeSnapshot(
  over: Partial<SnapshotParts> = {},
  { alive = true, ...health }: Partial<ToolHealth> & { alive?: boolean } = {},
) {
  return createSnapshot(options, {
    terminal: { pid: 7, alive, checkHealth: () => ({ ...HEALTHY, ...health }) },
    prompts: { isAsking: false, isAnswering: false, count: 3 },
    uptimeMs: 90_000,
    sinceOutputMs: 2_000,
    hasOutput: true,
    heldMs: 0,
    toolState: "working",
    isReading: false,
    ...over,
  });
}

describe("the troubles of a session in a terminal", () => {
  it("are none while its tool lives, is read and can be typed into", () => {
    expect(takeSnapshot()).toMatchObject({ promptCount: 3, lastOutputAgoSeconds: 2, ptyAlive: true });
    expect(takeSnapshot().troubles).toEqual([]);
  });

  it("are that no tool runs, before its start and after its end", () => {
    expect(createSnapshot(options, null).troubles).toEqual(["not_running"]);
    expect(takeSnapshot({}, { alive: false, isOpen: false, isRead: false }).troubles).toEqual([
      "not_running",
    ]);
  });

  it.each([
    ["closed", {}, { isOpen: false }],
    ["not_read", {}, { isRead: false }],
    ["input_waits", {}, { inputWaitsMs: 10_000 }],
    ["output_held", { heldMs: 5_000 }, {}],
    ["nothing_shown", { hasOutput: false, uptimeMs: NOTHING_SHOWN_MS }, {}],
  ] as const)("are %s", (trouble, parts, health) => {
    expect(takeSnapshot(parts, health).troubles).toEqual([trouble]);
  });

  it.each([
    ["a busy tool's typed-ahead input", {}, { inputWaitsMs: 9_999 }],
    ["a flood", { heldMs: 4_999 }, {}],
    ["a slow start", { hasOutput: false, uptimeMs: NOTHING_SHOWN_MS - 1 }, {}],
    ["a silent program that waits for a line", { hasOutput: false, isReading: true }, {}],
  ] as const)("are not %s", (_, parts, health) => {
    expect(takeSnapshot(parts, health).troubles).toEqual([]);
  });
});
