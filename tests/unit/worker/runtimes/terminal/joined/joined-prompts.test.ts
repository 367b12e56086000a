/** The prompts of a session are raised, withdrawn and settled once each, with the true reason for the end. */
import { describe, expect, it } from "vitest";
import type { AdapterEvent, InjectionResult } from "../../../../../../src/sdk/adapter.js";
import type { Candidate } from "../../../../../../src/sdk/candidate.js";
import type { ToolCallRequest } from "../../../../../../src/worker/prompts/tool-call-request.js";
import { createHookRequest } from "../../../../../../src/worker/integrations/hooks/hook-request.js";
import type { PendingRequest } from "../../../../../../src/worker/prompts/pending-request.js";
import type { ReplyPath, RequestEnd } from "../../../../../../src/worker/prompts/reply-path.js";
import type { HookCall } from "../../../../../../src/worker/integrations/hooks/hook-call.js";
import type { LiveDetector } from "../../../../../../src/worker/detection/live/live-detector.js";
import type { TrackerOutput } from "../../../../../../src/worker/detection/live/tracker.js";
import type { JoinedPrompt } from "../../../../../../src/worker/runtimes/terminal/joined/joined-prompt.js";
import { JoinedPrompts } from "../../../../../../src/worker/runtimes/terminal/joined/joined-prompts.js";
import { asId, type Fingerprint, type PromptId } from "../../../../../../src/model/ids.js";
import { promptEvent } from "../../../../../support/prompts.js";
import { EventQueue } from "../../../../../../src/observe/event-queue.js";
import { ManualClock } from "../../../../../../src/observe/clock.js";
import { makeCandidate, makeChoices } from "../../../answer/make.js";

type Dialog = Exclude<TrackerOutput, { kind: "state" }>;
const raise = (epoch: number): Dialog =>
  ({ kind: "raise", epoch, candidate: { committingKeys: ["1"] } }) as unknown as Dialog;
const left: Dialog = { kind: "withdraw", reason: "left_screen" };

function rig({ typed = false, detector = {} } = {}) {
  let anew = 0;
  let closing = 0;
  const clock = new ManualClock(1000);
  const events = new EventQueue<AdapterEvent>();
  const watch = new JoinedPrompts({
    events,
    stamp: (_question, epoch, { kind }) =>
      promptEvent({ promptId: `${kind === "hook" ? "call" : "prompt"}-${epoch}` as never, epoch }),
    foregroundGroup: () => 7,
    signals: { provenReaders: null },
    clock,
    detector: {
      onReplyUnsettled: () => anew++,
      onReplySettled: () => closing++,
      onRequestSettled: () => closing++,
      ...detector,
    } as unknown as LiveDetector,
    typedKeys: {
      hasAnswered: () => typed,
      describeEnd: (promptId, reason) => ({ kind: "withdrawn", promptId, reason }),
    },
    readings: { update: () => undefined, stop: () => undefined },
  });
  const told = async (): Promise<string[]> => {
    events.end();
    const heard: AdapterEvent[] = [];
    for await (const event of events) heard.push(event);
    return heard.map((event) =>
      event.kind === "raised"
        ? `raised ${event.event.promptId}`
        : event.kind === "withdrawn"
          ? `withdrawn ${event.promptId} ${event.reason}`
          : event.kind === "noted"
            ? `noted ${event.promptId} ${event.note}`
            : event.state,
    );
  };
  const asked = (): JoinedPrompt => {
    if (!watch.drawnPrompt) throw new Error("nothing is asked");
    return watch.drawnPrompt;
  };
  return { watch, told, asked, clock, anew: () => anew, closing: () => closing };
}

const receipt = (outcome: "answered" | "uncertain"): InjectionResult =>
  ({ kind: "receipt", receipt: { outcome } }) as unknown as InjectionResult;

describe("the prompts of a session", () => {
  it("says from when on the tool takes keys: claude drops those that come too soon after a dialog", () => {
    const { watch, asked } = rig();
    watch.onTracker(raise(0));
    expect(asked().acceptsKeysAt).toBe(1000);
    const slow = { committingKeys: [], dropsKeysMs: 250 };
    watch.onTracker({ kind: "raise", epoch: 1, candidate: slow } as unknown as Dialog);
    expect(asked().acceptsKeysAt).toBe(1250);
  });

  it("reports no prompt as replaced or gone that leaves while the tool is being ended", async () => {
    const { watch, told } = rig();
    watch.onTracker(raise(0));
    watch.isEnding = true;
    watch.onTracker({ kind: "withdraw", reason: "superseded" });
    watch.onTracker(raise(1));
    watch.end("answered_locally");
    expect(await told()).toEqual(["raised prompt-0", "withdrawn prompt-0 session_ended", "ended"]);
  });

  it.each([
    ["our words in its field, on a screen that is too small for both", "> MariaDB", true],
    ["another question", "> Something else", false],
  ])("after an answer in words takes %s for what it is", async (_, label, isClosing) => {
    const list = (text: string, n: number, question = "Which?"): Dialog => ({
      kind: "raise",
      epoch: n,
      known: 0,
      candidate: makeCandidate({
        question: isClosing ? "Which?" : question,
        fingerprint: asId<Fingerprint>(`f${n}`),
        content: n === 0 ? { text: "One of two\nWhich?", cut: null } : { text: "Which?", cut: {} },
        choices: makeChoices({ label: "SQLite" }, { label: text, takesText: "required" }),
      }),
    });
    const { watch, told, asked, closing } = rig();
    watch.onTracker(list("Type something", 0));
    const first = asked();
    watch.startAnswer(first);
    watch.onTracker(left);
    watch.onTracker(list(label, 1, "Which other?"));
    watch.finishAnswer(receipt("answered"), true);
    expect(closing()).toBe(isClosing ? 1 : 0);
    expect(await told()).toEqual(isClosing ? ["raised prompt-0"] : ["raised prompt-0", "raised prompt-1"]);
  });

  it("does not raise a page of the answer that is being typed", async () => {
    const { watch, told, asked } = rig();
    watch.onTracker(raise(0));
    const first = asked();
    watch.startAnswer(first);
    watch.onTracker(left);
    watch.onTracker(raise(1));
    watch.onTracker(left);
    watch.finishAnswer(receipt("answered"), true);
    expect(await told()).toEqual(["raised prompt-0"]);
  });

  it.each([
    ["is about to close when it left again by then", false, 1, ["raised prompt-0"]],
    ["is asked when it stands", true, 0, ["raised prompt-0", "raised prompt-1"]],
  ])("of an answered dialog that was drawn once more: it %s", async (_, isDrawn, closes, events) => {
    const { watch, told, asked, closing } = rig();
    watch.onTracker(raise(0));
    watch.startAnswer(asked());
    watch.onTracker(left);
    watch.onTracker(raise(1));
    watch.finishAnswer(receipt("answered"), isDrawn);
    expect(closing()).toBe(closes);
    expect(await told()).toEqual(events);
  });

  it("raises the next question once the answer before it is settled", async () => {
    const { watch, told, asked } = rig();
    watch.onTracker(raise(0));
    const first = asked();
    watch.startAnswer(first);
    watch.onTracker(left);
    watch.onTracker(raise(1));
    watch.finishAnswer(receipt("answered"), true);
    expect(await told()).toEqual(["raised prompt-0", "raised prompt-1"]);
  });

  it("does not raise a dialog that appeared while its own call was being answered", async () => {
    const { watch, told, closing } = rig();
    const ask = { questions: [], drawn: { by: "part", text: "{command}" }, input: { command: "ls" } };
    const call = { isOpen: true, onEnd: () => undefined, answer: () => Promise.resolve("delivered") };
    watch.open(createHookRequest(ask as unknown as ToolCallRequest), call as unknown as HookCall);
    const asked = watch.find("call-1" as never);
    if (!asked) throw new Error("nothing is asked");
    watch.startAnswer(asked);
    const dialog = {
      safetyClass: "permission",
      promptType: "multiple_choice",
      parts: ["ls"],
      content: { text: "ls", cut: null },
    };
    watch.onTracker({ kind: "raise", epoch: 0, known: 0, candidate: dialog as unknown as Candidate });
    watch.noteAnswered(asked);
    watch.finishAnswer(receipt("answered"), true);
    expect(closing()).toBe(1);
    expect(await told()).toEqual(["raised call-1"]);
  });

  it.each([
    ["keys of ours that were not proved to be taken", 1, "taken_back"],
    ["no key of ours", 0, "answered_elsewhere"],
  ])("says who answered, just after %s", async (_, bytesWritten, reason) => {
    const { watch, told, asked } = rig();
    let gone: (why: RequestEnd) => void = () => undefined;
    const call = { isOpen: true, onEnd: (told: typeof gone) => (gone = told), answer: () => undefined };
    const ask = {
      matchesDialog: () => true,
      reportsEnd: true,
      question: {},
      source: { kind: "hook", name: "x" },
    };
    watch.onTracker(raise(0));
    watch.open(ask as unknown as PendingRequest, call as unknown as ReplyPath);
    watch.startAnswer(asked());
    watch.finishAnswer({ kind: "receipt", receipt: { outcome: "uncertain", bytesWritten } } as never, true);
    gone("answered");
    expect(await told()).toEqual(["raised prompt-0", "raised call-1", `withdrawn call-1 ${reason}`]);
  });

  const asCall = (drawn: Dialog | null, typed = false) => {
    const session = rig({ typed });
    let gone: (why: RequestEnd) => void = () => undefined;
    const call = { isOpen: true, onEnd: (told: typeof gone) => (gone = told), answer: () => undefined };
    const ask = {
      matchesDialog: () => true,
      reportsEnd: false,
      question: {},
      source: { kind: "hook", name: "x" },
    };
    session.watch.open(ask as unknown as PendingRequest, call as unknown as ReplyPath);
    if (drawn) session.watch.onTracker(drawn);
    return { ...session, lose: () => gone("lost") };
  };

  it.each([
    ["replaced whose dialog stood", raise(0), false],
    ["answered at the terminal because something was typed before its dialog was found", null, true],
    ["gone whose dialog was not found", null, false],
  ])("calls no question of a tool that was killed %s", async (_, drawn, typed) => {
    const { watch, told, lose, clock, anew } = asCall(drawn, typed);
    lose();
    watch.end("session_ended");
    clock.advance(5000);
    expect(anew()).toBe(0);
    expect(await told()).toEqual(["raised call-1", "withdrawn call-1 session_ended", "ended"]);
  });

  it("keeps its events open until the answer under way has its result", async () => {
    const { watch, told, asked } = rig();
    watch.onTracker(raise(0));
    const first = asked();
    watch.startAnswer(first);
    watch.end("session_ended");
    watch.finishAnswer(receipt("answered"), true);
    expect(await told()).toEqual(["raised prompt-0", "ended"]);
  });
});

it.each([
  [{ readable: true }, "gone"],
  [{ readable: false }, "unread"],
  [{ readable: true, known: true }, "gone"],
  [{ readable: false, known: true }, "unread"],
  [{ readable: true, drawn: "f" }, "anew"],
  [{ readable: true, drawn: "another" }, "gone"],
] as const)("calls a prompt gone only where its screen can be read: %j is %s", (scene, result) => {
  const { readable, drawn, known } = { drawn: null, known: false, ...scene };
  const { watch } = rig({
    detector: { isReadable: readable, detectNow: () => drawn && { fingerprint: drawn } },
  });
  const source = { kind: "hook", name: "x" };
  const closed = { isOpen: false, onEnd: () => undefined };
  if (known) watch.open({ source } as unknown as PendingRequest, closed as unknown as ReplyPath);
  expect(watch.askAgain(asId<PromptId>("call-1"), asId<Fingerprint>("f"))).toBe(result);
});
