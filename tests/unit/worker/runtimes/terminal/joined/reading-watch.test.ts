/** Each request is compared once with its dialog; one whose dialog is not found in time counts as unseen, or as another dialog's. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../../src/observe/clock.js";
import type { Candidate } from "../../../../../../src/sdk/candidate.js";
import { createHookRequest } from "../../../../../../src/worker/integrations/hooks/hook-request.js";
import { TOOL_LIMITS } from "../../../../../../src/worker/prompts/limits.js";
import type { PendingRequest } from "../../../../../../src/worker/prompts/pending-request.js";
import type { JoinedPrompt } from "../../../../../../src/worker/runtimes/terminal/joined/joined-prompt.js";
import {
  ReadingWatch,
  type ComparedReading,
} from "../../../../../../src/worker/runtimes/terminal/joined/reading-watch.js";
import { makeCandidate } from "../../../answer/make.js";
import { call } from "../../../prompts/recorded-dialogs.js";

function rig() {
  const clock = new ManualClock(0);
  const compared: ComparedReading[] = [];
  const watch = new ReadingWatch({ clock, onCompared: (reading) => compared.push(reading) });
  const update = (prompts: readonly Sources[]): void => watch.update(prompts, null);
  const kinds = () => compared.map(({ differences }) => differences.join("+") || "same");
  return { clock, watch, update, kinds, compared };
}

const request = (command = "rm -rf build"): PendingRequest => createHookRequest(call("Bash", { command }));
const dialog = makeCandidate();

type Sources = Pick<JoinedPrompt, "drawn" | "waiting">;

function entry(waiting: PendingRequest | null, drawn: Candidate | null, id = 1): Sources {
  return {
    drawn: drawn && { candidate: drawn, epoch: 1 },
    waiting: waiting && { id, request: waiting, path: {} as never },
  };
}

describe("a request and its dialog", () => {
  it("are compared once, however often the dialog is drawn anew", () => {
    const { update, kinds, clock } = rig();
    const asked = request();
    update([entry(asked, null)]);
    update([entry(asked, dialog)]);
    update([entry(asked, null)]);
    update([entry(asked, makeCandidate({ promptType: "unknown" }))]);
    clock.advance(TOOL_LIMITS.drawnWithinMs);
    expect(kinds()).toEqual(["same"]);
  });

  it("that is never drawn counts as unseen, once", () => {
    const { update, kinds, clock, compared } = rig();
    const asked = request();
    update([entry(asked, null)]);
    clock.advance(TOOL_LIMITS.drawnWithinMs - 1);
    update([entry(asked, null)]);
    expect(kinds()).toEqual([]);
    clock.advance(1);
    update([entry(asked, null)]);
    clock.advance(TOOL_LIMITS.drawnWithinMs);
    expect(kinds()).toEqual(["unseen"]);
    expect(compared[0]?.dialog).toBeNull();
  });

  it("that stands beside a dialog with other content counts as another one's", () => {
    const { watch, kinds, clock, compared } = rig();
    watch.update([entry(request(), null)], { candidate: dialog, epoch: 1 });
    clock.advance(TOOL_LIMITS.drawnWithinMs);
    expect(kinds()).toEqual(["other"]);
    expect(compared[0]?.dialog).toBe(dialog);
  });

  it("that waits behind the dialog of another request is not missed meanwhile", () => {
    const { update, kinds, clock } = rig();
    const [first, second] = [request(), request("ls")];
    update([entry(first, dialog), entry(second, null, 2)]);
    clock.advance(10 * TOOL_LIMITS.drawnWithinMs);
    expect(kinds()).toEqual(["same"]);
    update([entry(second, null, 2)]);
    clock.advance(TOOL_LIMITS.drawnWithinMs);
    expect(kinds()).toEqual(["same", "unseen"]);
  });

  it("that is over before its time, or of a tool that draws none, is not compared", () => {
    const { watch, update, kinds, clock } = rig();
    update([entry(request(), null)]);
    update([]);
    const { prompt: question, answer, cancelled, refused } = request();
    update([entry({ prompt: question, answer, cancelled, refused }, null)]);
    clock.advance(TOOL_LIMITS.drawnWithinMs);
    update([entry(request(), null)]);
    watch.stop();
    clock.advance(TOOL_LIMITS.drawnWithinMs);
    expect(kinds()).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});
