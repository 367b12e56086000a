/**
 * Words that follow a choice are pasted into an input box that is proved empty, and are submitted with Enter unless another
 * prompt appears.
 */
import { describe, expect, it } from "vitest";
import { asId } from "../../../../src/model/ids.js";
import type { Candidate } from "../../../../src/sdk/candidate.js";
import { inject, other, requireReceipt } from "./attempt.js";
import { EMPTY_COMPOSER, FakePort } from "./fake-port.js";
import { makeCandidate, makeChoices, replyTo, makeView } from "./make.js";
import { keysFor, planned } from "./plan/planned.js";

const WORDS = "use pnpm, please";
const PASTED = `\u001b[200~${WORDS}\u001b[201~`;
const PASTE = { modes: { bracketedPaste: true } } as const;
const composer = { identity: "composer" } as const;

/** Its No takes words, and there is no field for them in the dialog. */
const raised = makeCandidate({
  choices: makeChoices(
    { label: "Yes", intent: "allow_once" },
    { label: "No", intent: "reject_once", takesText: "optional", textTo: "composer" },
  ),
});

/** No leads to what `denied` draws, there a paste is drawn, and Enter submits it. */
function tool(denied: (port: FakePort) => void): FakePort {
  const port = new FakePort(raised, makeView([], PASTE));
  port.react = (keys) => {
    if (keys === "2") denied(port);
    if (keys === PASTED) port.drawIn(20, null, [`> ${WORDS}`], PASTE);
    if (keys === "\r") port.drawIn(20, null, [WORDS, "Working…", EMPTY_COMPOSER], PASTE);
  };
  return port;
}

const deny = (port: FakePort): ReturnType<typeof requireReceipt> =>
  requireReceipt(inject(port, raised, "2", { text: WORDS }));

describe("the plan of words that follow a choice", () => {
  const view = makeView([], PASTE);

  it("takes the choice, pastes into the empty composer, and presses Enter when the words stand there", () => {
    const { steps, effect } = planned(raised, replyTo(raised, "2", WORDS), view);
    expect(steps).toEqual([
      { keys: "2", expects: { identity: "same" }, answers: true },
      { keys: PASTED, expects: composer },
      { keys: "\r", expects: { ...composer, echo: WORDS } },
    ]);
    expect(effect).toEqual({ kind: "composer_empties" });
  });

  it("takes the choice alone without words", () => {
    expect(keysFor(raised, "2", undefined, view)).toEqual(["2"]);
  });

  it("reaches a choice that has no key of its own with arrows", () => {
    const rows = raised.choices.map((choice): Candidate["choices"][number] => ({
      ...choice,
      answer: { by: "arrows" },
    }));
    expect(keysFor({ ...raised, choices: rows }, "2", WORDS, view)).toEqual(["\u001b[B", "\r", PASTED, "\r"]);
  });
});

describe("words that follow a choice", () => {
  it("are submitted once the tool is idle with an empty composer", async () => {
    const port = tool((tty) => {
      tty.drawIn(20, null, ["Working…", EMPTY_COMPOSER], PASTE);
      tty.drawIn(2500, null, [EMPTY_COMPOSER], PASTE);
    });
    expect(await deny(port)).toMatchObject({ outcome: "answered" });
    expect(port.written).toEqual(["2", PASTED, "\r"]);
  });

  it.each<[string, (port: FakePort) => void]>([
    ["another question is asked", (port) => port.drawIn(20, other, [], PASTE)],
    ["somebody has typed in the composer", (port) => port.drawIn(20, null, ["> my own"], PASTE)],
    ["the tool goes on working", (port) => port.drawIn(20, null, ["Working…", EMPTY_COMPOSER], PASTE)],
    ["the question stays", () => undefined],
    [
      "somebody types",
      (port) => {
        port.drawIn(20, null, [EMPTY_COMPOSER], PASTE);
        port.clock.after(10, () => port.type());
      },
    ],
  ])("are not typed when %s, and no success is reported", async (_, denied) => {
    const port = tool(denied);
    expect(await deny(port)).toMatchObject({
      outcome: "uncertain",
      evidence: expect.stringContaining("before the words that go with the answer were submitted") as string,
    });
    expect(port.written).toEqual(["2"]);
  });

  it("stay in the composer when a question comes up over them: Enter would answer it", async () => {
    const port = tool((tty) => tty.drawIn(20, null, [EMPTY_COMPOSER], PASTE));
    const { react } = port;
    port.react = (keys) => (keys === PASTED ? port.drawIn(20, other, [], PASTE) : react(keys));
    expect(await deny(port)).toMatchObject({ outcome: "uncertain" });
    expect(port.written).toEqual(["2", PASTED]);
  });

  it("count as submitted when the next question takes the composer's place", async () => {
    const next = makeCandidate({ question: "And this?", fingerprint: asId("next") });
    const port = tool((tty) => tty.drawIn(20, null, [EMPTY_COMPOSER], PASTE));
    const { react } = port;
    port.react = (keys) => (keys === "\r" ? port.drawIn(150, next, [], PASTE) : react(keys));
    expect(await deny(port)).toMatchObject({ outcome: "answered" });
  });

  it("are uncertain when the composer is empty for the instant of a redraw only", async () => {
    const port = tool((tty) => tty.drawIn(20, null, [EMPTY_COMPOSER], PASTE));
    const { react } = port;
    port.react = (keys) => {
      if (keys !== "\r") {
        react(keys);
        return;
      }
      port.drawIn(20, null, [EMPTY_COMPOSER], PASTE);
      port.drawIn(50, null, [`> ${WORDS}`], PASTE);
    };
    expect(await deny(port)).toMatchObject({ outcome: "uncertain" });
  });

  it("are uncertain while they still stand in the composer", async () => {
    const port = tool((tty) => tty.drawIn(20, null, [EMPTY_COMPOSER], PASTE));
    const { react } = port;
    port.react = (keys) => (keys === "\r" ? undefined : react(keys));
    expect(await deny(port)).toMatchObject({ outcome: "uncertain" });
    expect(port.written).toEqual(["2", PASTED, "\r"]);
  });
});
