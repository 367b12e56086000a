/** A dialog whose call comes by a hook command is held until its call arrives, and is raised from the screen when none comes. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../src/observe/clock.js";
import type { TrackerOutput } from "../../../../src/worker/detection/live/tracker.js";
import { createHookRequest } from "../../../../src/worker/integrations/hooks/hook-request.js";
import { HookDialogWait } from "../../../../src/worker/prompts/hook-dialog-wait.js";
import { call, replayDialog } from "./recorded-dialogs.js";

type DialogOutput = Exclude<TrackerOutput, { kind: "state" }>;

async function rig(isExpected = true) {
  const clock = new ManualClock();
  const passed: DialogOutput[] = [];
  const wait = new HookDialogWait({
    clock,
    isCalling: () => isExpected,
    prompts: { hasRequestFor: () => false, onTracker: (output) => void passed.push(output) },
  });
  const candidate = await replayDialog("bash-80x24-2.1.329");
  const raise: DialogOutput = { kind: "raise", candidate, epoch: 0, known: 0 };
  return { clock, wait, passed, raise };
}

const bash = (command: string) => createHookRequest(call("Bash", { command }));
const LEFT: DialogOutput = { kind: "withdraw", reason: "left_screen" };

describe("a dialog whose call comes by a hook command", () => {
  it("waits for its call, and for no other", async () => {
    const { clock, wait, passed, raise } = await rig();
    wait.take(raise);
    wait.opened(bash("something else"));
    clock.advance(300);
    expect(passed).toEqual([]);
    wait.opened(bash("rm -rf build"));
    expect(passed).toEqual([raise]);
    clock.advance(5000);
    wait.take(LEFT);
    expect(passed).toEqual([raise, LEFT]);
  });

  it("is raised from the screen when no call comes", async () => {
    const { clock, wait, passed, raise } = await rig();
    wait.take(raise);
    clock.advance(1499);
    expect(passed).toEqual([]);
    clock.advance(1);
    expect(passed).toEqual([raise]);
  });

  it("that is gone before is not raised", async () => {
    const { clock, wait, passed, raise } = await rig();
    wait.take(raise);
    wait.take(LEFT);
    clock.advance(5000);
    expect(passed).toEqual([]);
  });

  it("does not wait where no call is to be expected", async () => {
    const { wait, passed, raise } = await rig(false);
    wait.take(raise);
    expect(passed).toEqual([raise]);
  });
});
