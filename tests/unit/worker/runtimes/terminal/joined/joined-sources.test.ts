/** A dialog on the screen and a hook call become one prompt or two, and each prompt and each call ends once. */
import { describe, expect, it } from "vitest";
import type { AdapterEvent, InjectionResult } from "../../../../../../src/sdk/adapter.js";
import type { Candidate } from "../../../../../../src/sdk/candidate.js";
import { createRefusal } from "../../../../../../src/model/answer/refusal.js";
import { ManualClock } from "../../../../../../src/observe/clock.js";
import type { LiveDetector } from "../../../../../../src/worker/detection/live/live-detector.js";
import { END_REPORTED_WITHIN_MS } from "../../../../../../src/worker/prompts/limits.js";
import type { PendingRequest } from "../../../../../../src/worker/prompts/pending-request.js";
import type { RequestEnd } from "../../../../../../src/worker/prompts/reply-path.js";
import type { JoinedPrompt } from "../../../../../../src/worker/runtimes/terminal/joined/joined-prompt.js";
import { JoinedPrompts } from "../../../../../../src/worker/runtimes/terminal/joined/joined-prompts.js";
import { promptEvent } from "../../../../../support/prompts.js";
import fc from "fast-check";

/** A dialog that shows this, and the call for it: they agree when the words are equal. */
const dialog = (words: string): Candidate =>
  ({
    rule: "permission",
    safetyClass: words === "trust" ? "trust" : "permission",
    promptType: "multiple_choice",
    parts: [words],
    choices: [],
    content: { text: words, cut: null },
  }) as unknown as Candidate;
const ask = (words: string, reportsEnd = false): PendingRequest =>
  ({
    source: { kind: "hook", name: "call" },
    matchesDialog: ({ content }: Candidate) => content.text === words,
    reportsEnd,
  }) as unknown as PendingRequest;

const receipt = (outcome: "answered" | "uncertain"): InjectionResult =>
  ({ kind: "receipt", receipt: { outcome, bytesWritten: 0 } }) as unknown as InjectionResult;
const RESULTS: Readonly<Record<string, InjectionResult>> = {
  taken: receipt("answered"),
  unsettled: receipt("uncertain"),
  refused: { kind: "refused", rejection: createRefusal("typing"), stillAsked: true },
};

/** `told`: in order, `raise 1 request`, `withdraw 1 superseded`, `differs 1`, `release 7`, `ask_anew`, `closing`, `answered`. */
function rig() {
  const told: string[] = [];
  const clock = new ManualClock(0);
  const ends = new Map<number, (why: RequestEnd) => void>();
  let [count, typed] = [0, false];
  let open: readonly JoinedPrompt[] = [];
  let aside: unknown = null;
  const push = (event: AdapterEvent): void => {
    if (event.kind === "raised") told.push(`raise ${event.event.promptId} ${event.event.excerpt}`);
    if (event.kind === "withdrawn") told.push(`withdraw ${event.promptId} ${event.reason}`);
    if (event.kind === "noted") told.push(`differs ${event.promptId}`);
  };
  const joined = new JoinedPrompts({
    clock,
    events: { push } as never,
    stamp: (_, epoch, { kind }) => {
      const excerpt = kind === "screen" ? "screen" : "request";
      return promptEvent({ promptId: String(++count) as never, epoch, excerpt });
    },
    foregroundGroup: () => null,
    signals: { provenReaders: null },
    detector: {
      onReplyUnsettled: () => told.push("ask_anew"),
      onReplySettled: () => told.push("answered"),
      onRequestSettled: () => told.push("closing"),
    } as unknown as LiveDetector,
    typedKeys: {
      hasAnswered: () => typed,
      describeEnd: (promptId, reason) => ({ kind: "withdrawn", promptId, reason }),
    },
    readings: {
      update: (prompts, beside) => {
        open = prompts as readonly JoinedPrompt[];
        aside = beside;
      },
      stop: () => undefined,
    },
  });
  /** `drawn ls`, `left`, `left typed`, `called 1 ls`, `called 1 ls telling`, `gone 1`, `gone 1 typed`, `gone 1 over`, `gone 1 answered`, `moved on`, `moved on typed`, `answering 1`, `taken`, `refused`, `unsettled`. */
  const play = (text: string): void => {
    const [what = "", one = "", two = "", three = ""] = text.split(" ");
    typed = text.endsWith(" typed");
    if (what === "drawn") joined.onTracker({ kind: "raise", epoch: 0, known: 0, candidate: dialog(one) });
    else if (what === "left")
      joined.onTracker({ kind: "withdraw", reason: typed ? "answered_locally" : "left_screen" });
    else if (what === "called")
      joined.open(ask(two, three === "telling"), {
        isOpen: true,
        onEnd: (onEnd) => void ends.set(Number(one), onEnd),
        answer: () => {
          told.push(`release ${one}`);
          return Promise.resolve("delivered");
        },
      });
    else if (what === "gone") {
      ends.get(Number(one))?.(two === "over" || two === "answered" ? two : "lost");
      clock.advance(END_REPORTED_WITHIN_MS);
    } else if (what === "moved") joined.withdrawUndrawn();
    else if (what === "answering") {
      const prompt = joined.find(one as never);
      if (prompt) joined.startAnswer(prompt);
    } else {
      const result = RESULTS[what];
      if (result) joined.finishAnswer(result, true);
    }
  };
  return { joined, told, play, state: () => ({ open, aside }) };
}

const cases: readonly [name: string, inputs: readonly string[], told: readonly string[]][] = [
  ["a dialog alone", ["drawn ls", "left typed"], ["raise 1 screen", "withdraw 1 answered_locally"]],
  ["a call and its dialog are one", ["called 7 ls", "drawn ls"], ["raise 1 request"]],
  ["a dialog and its call are one", ["drawn ls", "called 7 ls"], ["raise 1 screen"]],
  [
    "an answer typed while ours is on its way counts, and ours is not put in",
    ["called 7 ls", "drawn ls", "answering 1", "left typed", "refused"],
    ["raise 1 request", "withdraw 1 answered_locally", "release 7"],
  ],
  [
    "a dialog that is covered while our answer is on its way leaves its call",
    ["called 7 ls", "drawn ls", "answering 1", "left", "refused"],
    ["raise 1 request"],
  ],
  [
    "a call that tells its end outlives an answer typed at its dialog, until it says so",
    ["called 7 ls telling", "drawn ls", "left typed", "gone 7 over"],
    ["raise 1 request", "withdraw 1 answered_locally"],
  ],
  [
    "a call that tells its end is not given up because the tool waits for nobody",
    ["called 7 ls telling", "moved on"],
    ["raise 1 request"],
  ],
  [
    "a dialog whose call was answered elsewhere is about to close",
    ["called 7 ls telling", "drawn ls", "gone 7 over"],
    ["raise 1 request", "withdraw 1 taken_back", "closing"],
  ],
  [
    "a call that another program answered is said to be: drawn or not, whoever stamped it",
    [
      "called 7 ls telling",
      "drawn ls",
      "gone 7 answered",
      "called 8 rm telling",
      "gone 8 answered",
      "drawn cp",
      "called 9 cp telling",
      "gone 9 answered",
    ],
    [
      "raise 1 request",
      "withdraw 1 answered_elsewhere",
      "closing",
      "raise 2 request",
      "withdraw 2 answered_elsewhere",
      "raise 3 screen",
      "withdraw 3 answered_elsewhere",
      "closing",
    ],
  ],
  [
    "a call that somebody answered at its dialog a moment ago was answered there",
    ["called 7 ls telling", "drawn ls", "left typed", "gone 7 answered"],
    ["raise 1 request", "withdraw 1 answered_locally"],
  ],
  [
    "keys of ours are on their way: what another program answered meanwhile is told by the receipt",
    ["drawn ls", "called 7 ls telling", "answering 1", "gone 7 answered", "unsettled"],
    ["raise 1 screen", "ask_anew"],
  ],
  [
    "a dialog that shows no waiting call is no prompt, and the call's card says so once",
    ["called 7 ls", "drawn rm", "drawn cp"],
    ["raise 1 request", "differs 1"],
  ],
  [
    "a dialog gives way to a call that it does not show",
    ["drawn rm", "called 7 ls"],
    ["raise 1 screen", "raise 2 request", "withdraw 1 superseded", "differs 2"],
  ],
  [
    "a dialog that no call asks is no prompt beside a call either: it may be painted, too",
    ["called 7 ls", "drawn trust"],
    ["raise 1 request", "differs 1"],
  ],
  [
    "a dialog of no call is asked again once no call waits, if it stays",
    ["called 7 ls", "drawn rm", "answering 1", "gone 7", "taken"],
    ["raise 1 request", "differs 1", "closing"],
  ],
  [
    "a dialog of no call is asked again at once when the call was lost",
    ["called 7 ls", "called 8 cp", "drawn rm", "gone 8", "gone 7"],
    [
      ...["raise 1 request", "raise 2 request", "differs 1", "differs 2"],
      ...["withdraw 2 request_lost", "withdraw 1 request_lost", "ask_anew"],
    ],
  ],
  [
    "a call that comes later takes its dialog",
    ["called 7 ls", "drawn rm", "called 8 rm", "left typed"],
    ["raise 1 request", "differs 1", "raise 2 request", "withdraw 2 answered_locally", "release 8"],
  ],
  [
    "what was painted over a dialog goes: the call and its dialog are one",
    ["called 7 ls", "drawn rm", "drawn ls", "left typed"],
    ["raise 1 request", "differs 1", "withdraw 1 answered_locally", "release 7"],
  ],
  [
    "equal calls are two; the dialog is the first one's",
    ["called 7 ls", "called 8 ls", "drawn ls", "left typed"],
    ["raise 1 request", "raise 2 request", "withdraw 1 answered_locally", "release 7"],
  ],
  [
    "the keyboard answers a joined dialog: its call is let go",
    ["called 7 ls", "drawn ls", "left typed"],
    ["raise 1 request", "withdraw 1 answered_locally", "release 7"],
  ],
  [
    "a dialog that is covered leaves its call waiting, and joins again",
    ["called 7 ls", "drawn ls", "left", "drawn ls", "left typed"],
    ["raise 1 request", "withdraw 1 answered_locally", "release 7"],
  ],
  [
    "a dialog stamped first goes: its call is asked by itself",
    ["drawn ls", "called 7 ls", "left"],
    ["raise 1 screen", "withdraw 1 left_screen", "raise 2 request"],
  ],
  [
    "the tool drops a call after an answer was typed",
    ["called 7 ls", "drawn ls", "gone 7 typed"],
    ["raise 1 request", "withdraw 1 answered_locally"],
  ],
  [
    "the tool drops a call after an answer was typed, before its dialog was found",
    ["called 7 ls", "gone 7 typed"],
    ["raise 1 request", "withdraw 1 answered_locally"],
  ],
  [
    "the tool drops a call whose dialog stands: the screen asks anew",
    ["called 7 ls", "drawn ls", "gone 7"],
    ["raise 1 request", "withdraw 1 superseded", "ask_anew"],
  ],
  [
    "the tool drops a call that was never drawn",
    ["called 7 ls", "gone 7"],
    ["raise 1 request", "withdraw 1 request_lost"],
  ],
  [
    "the tool drops the call behind a dialog that was stamped first: keys can answer",
    ["drawn ls", "called 7 ls", "gone 7"],
    ["raise 1 screen"],
  ],
  [
    "the tool moved on: only what is not drawn is over",
    ["called 7 ls", "called 8 cp", "drawn ls", "moved on"],
    ["raise 1 request", "raise 2 request", "withdraw 2 taken_back", "release 8"],
  ],
  [
    "the tool moved on after something was typed: it was answered there, though its dialog was never found",
    ["called 7 ls", "moved on typed"],
    ["raise 1 request", "withdraw 1 answered_locally", "release 7"],
  ],
  [
    "an answer taken",
    ["called 7 ls", "drawn ls", "answering 1", "gone 7", "left", "taken"],
    ["raise 1 request"],
  ],
  [
    "an answer taken by keys: the call that still waits is let go",
    ["drawn ls", "called 7 ls", "answering 1", "left", "taken"],
    ["raise 1 screen", "release 7"],
  ],
  [
    "an answer that counts as taken while its dialog is still drawn: the dialog is watched",
    ["drawn ls", "answering 1", "taken"],
    ["raise 1 screen", "answered"],
  ],
  [
    "an answer without proof: what stands is asked anew",
    ["called 7 ls", "drawn ls", "answering 1", "gone 7", "unsettled"],
    ["raise 1 request", "ask_anew"],
  ],
  [
    "an answer that did not get to the call: the call is asked anew",
    ["called 7 ls", "answering 1", "unsettled"],
    ["raise 1 request", "ask_anew", "raise 2 request"],
  ],
  [
    "an unsettled call leaves another's dialog alone",
    ["called 7 ls", "called 8 cp", "drawn cp", "answering 1", "gone 7", "unsettled"],
    ["raise 1 request", "raise 2 request"],
  ],
  [
    "a refused answer leaves all as it was",
    ["called 7 ls", "drawn ls", "answering 1", "refused", "left typed"],
    ["raise 1 request", "withdraw 1 answered_locally", "release 7"],
  ],
  [
    "an answer by keys without proof",
    ["drawn ls", "answering 1", "unsettled"],
    ["raise 1 screen", "ask_anew"],
  ],
  [
    "a refused answer to what vanished meanwhile",
    ["drawn ls", "answering 1", "left", "refused"],
    ["raise 1 screen", "withdraw 1 left_screen"],
  ],
  [
    "another dialog takes the screen unsaid",
    ["drawn ls", "drawn rm"],
    ["raise 1 screen", "withdraw 1 superseded", "raise 2 screen"],
  ],
];

describe("a prompt from screen and hooks", () => {
  it.each(cases)("%s", (_, inputs, told) => {
    const session = rig();
    for (const input of inputs) session.play(input);
    expect(session.told).toEqual(told);
  });

  it("ends every prompt once, releases every call once, knows one dialog at most, and none alone beside a call", () => {
    const words = fc.constantFrom("ls", "rm");
    const id = fc.integer({ min: 1, max: 3 });
    const input = fc.oneof(
      words.map((word) => `drawn ${word}`),
      fc.constantFrom("left", "left typed", "moved on", "answer", "taken", "refused", "unsettled"),
      words.map((word) => `call ${word}`),
      fc
        .tuple(id, fc.constantFrom("", " typed", " over", " answered"))
        .map(([which, typed]) => `gone ${which}${typed}`),
    );
    fc.assert(
      fc.property(fc.array(input, { maxLength: 40 }), (wishes) => {
        let calls = 0;
        const { joined, told, play, state } = rig();
        for (const wish of wishes) {
          const [what = "", word = ""] = wish.split(" ");
          const [first] = state().open;
          // Only what can happen: an answer to a prompt that there is, and an end to one that was begun.
          if (what === "answer" && (!first || joined.isAnswering)) continue;
          if (what in RESULTS && !joined.isAnswering) continue;
          if (what === "call") play(`called ${++calls} ${word}`);
          else if (what === "answer") play(`answering ${first?.event.promptId ?? ""}`);
          else play(wish);
          const { open, aside } = state();
          const raised = told.filter((each) => each.startsWith("raise")).map((each) => each.split(" ")[1]);
          const ended = told.filter((each) => each.startsWith("withdraw")).map((each) => each.split(" ")[1]);
          const released = told.filter((each) => each.startsWith("release"));
          expect(new Set(ended).size).toBe(ended.length);
          expect(new Set(released).size).toBe(released.length);
          expect(open.filter(({ drawn }) => drawn).length).toBeLessThanOrEqual(1);
          const called = open.flatMap(({ waiting }) => (waiting ? [waiting.id] : []));
          expect(new Set(called).size).toBe(called.length);
          for (const { drawn, waiting, isAnswering, event } of open) {
            expect(drawn !== null || waiting !== null || isAnswering).toBe(true);
            expect(raised).toContain(event.promptId);
            expect(ended).not.toContain(event.promptId);
            // Keys would answer a dialog alone. Only one whose answer is on its way stays beside a call that came meanwhile.
            if (drawn && !waiting && !isAnswering) expect(called).toEqual([]);
          }
          if (called.length === 0) expect(aside).toBeNull();
        }
      }),
      { numRuns: 1000 },
    );
  });
});
