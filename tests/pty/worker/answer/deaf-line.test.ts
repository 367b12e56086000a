/** An answer that was typed on a line is confirmed only once the program reads it, not when the terminal takes it. */
import { afterEach, expect, it } from "vitest";
import { Rig } from "./rig.js";

/** Nobody waits long for a program that never reads. */
const timings = { effectWithinMs: 1500 };

let rig: Rig;
afterEach(() => rig.close());

it.each([
  ["is not confirmed where the program goes on without reading", [], "uncertain", []],
  ["is not confirmed where the program ends without reading", ["ends"], "uncertain", []],
  ["is confirmed where the program reads it later, and ends", ["reads"], "answered", ["y"]],
])("%s", async (_, options, outcome, took) => {
  rig = new Rig({ promptType: "yes_no" }, "deaf-line", ...options);
  const answered = rig.answer(await rig.asked("Delete all files?"), "y", { timings });
  await rig.shows("Delete all files? (y/n) y");
  process.kill(rig.agentPid, "SIGUSR1");
  expect(await answered).toMatchObject({ kind: "receipt", receipt: { outcome, bytesWritten: 2 } });
  expect(rig.took).toEqual(took);
});
