/** What a terminal reports before its session exists is neither lost nor reordered. */
import { expect, it } from "vitest";
import { HeldHooks } from "../../../../../src/worker/session/host/held-hooks.js";
import type { HostHooks } from "../../../../../src/worker/session/host/host-hooks.js";

it("reports wait for a handler, reach it in their order, and are passed on at once from then on", () => {
  const reports: string[] = [];
  const target: HostHooks = {
    onInput: (chunk) => void reports.push(`input ${Buffer.from(chunk).toString()}`),
    onInputEnd: () => void reports.push("input end"),
    onResize: ({ cols, rows }) => void reports.push(`${cols}x${rows}`),
    onEndSignal: (signal) => void reports.push(signal),
    onPassedSignal: (signal) => void reports.push(signal),
    onOutputLost: () => void reports.push("output lost"),
    onStopSignal: () => void reports.push("stop"),
    onContinued: () => void reports.push("continued"),
  };
  const held = new HeldHooks();
  held.onResize({ cols: 100, rows: 30 });
  held.onStopSignal();
  held.onContinued();
  held.onPassedSignal("SIGUSR1");
  held.onOutputLost();
  held.onEndSignal("SIGTERM");
  expect(reports).toEqual([]);
  held.release(target);
  expect(reports).toEqual(["100x30", "stop", "continued", "SIGUSR1", "output lost", "SIGTERM"]);
  held.onInput(Buffer.from("k"));
  held.onInputEnd();
  expect(reports.slice(-2)).toEqual(["input k", "input end"]);
});
