import { describe, expect, it } from "vitest";
import { asId, type Fingerprint } from "../../../src/model/ids.js";
import type { Candidate, CandidateChoice } from "../../../src/sdk/candidate.js";
import { advanceTracker, type TrackerOutput } from "../../../src/worker/detect/tracker.js";
import {
  INITIAL_TRACKER,
  type TrackerInput,
  type TrackerState,
} from "../../../src/worker/detect/tracker-state.js";

const STABLE_MS = 100;

function choice(label: string): CandidateChoice {
  return { label, intent: "other", answer: { by: "key", key: "1" }, firstRow: 0, lastRow: 0 };
}

function candidate(name: string, change: Partial<Candidate> = {}): Candidate {
  return {
    rule: "permission",
    shape: "list",
    promptType: "multiple_choice",
    safetyClass: "permission",
    score: 0.97,
    question: name,
    choices: [choice("Yes"), choice("No")],
    highlighted: 1,
    constraints: {},
    content: { text: name, cut: null },
    region: { top: 5, bottom: 10 },
    fingerprint: asId<Fingerprint>(name),
    committingKeys: ["\r", "1"],
    endsTool: [],
    ...change,
  };
}

/** A tracker with a clock: `see` is a frame, output bytes arrive with `draw`. */
class Play {
  state: TrackerState = INITIAL_TRACKER;
  now = 0;
  readonly log: string[] = [];
  #outputAt = -Infinity;
  #outputBytes = 0;

  draw(bytes = 40): this {
    this.#outputAt = this.now;
    this.#outputBytes += bytes;
    return this;
  }

  see(found: Candidate | null, more: { stillness?: string; sync?: boolean } = {}): this {
    return this.#feed({
      kind: "frame",
      now: this.now,
      candidate: found,
      state: found ? "waiting" : "working",
      stableMs: found ? STABLE_MS : 0,
      stillness: more.stillness ?? found?.fingerprint ?? "",
      isUnfinished: more.sync ?? false,
      outputAt: this.#outputAt,
      outputBytes: this.#outputBytes,
      lineFeeds: 0,
    });
  }

  /** Lets time pass, looking whenever the tracker wants to. */
  wait(ms: number, found: Candidate | null, more: { stillness?: string; sync?: boolean } = {}): this {
    const end = this.now + ms;
    this.see(found, more);
    while (this.state.wakeAt !== null && this.state.wakeAt <= end) {
      this.now = this.state.wakeAt;
      this.see(found, more);
    }
    this.now = end;
    return this;
  }

  /** A dialog is drawn whole and left alone. */
  raise(found: Candidate): this {
    return this.draw(1000).wait(STABLE_MS + 50, found);
  }

  say(input: "resized" | "reply_unsettled" | "request_settled"): this {
    return this.#feed({ kind: input, now: this.now });
  }

  commit(by: "local" | "us" = "local"): this {
    return this.#feed({ kind: "committing_key", now: this.now, by, outputBytes: this.#outputBytes });
  }

  #feed(input: TrackerInput): this {
    const step = advanceTracker(this.state, input);
    this.state = step.state;
    this.log.push(...step.outputs.flatMap(words));
    return this;
  }
}

function words(output: TrackerOutput): string[] {
  if (output.kind === "raise") return [`raise ${output.candidate.question} #${output.epoch}`];
  if (output.kind === "withdraw") return [`withdraw ${output.reason}`];
  return [];
}

const A = candidate("A");
const B = candidate("B");

describe("stillness", () => {
  it("raises a candidate once it has been still", () => {
    const play = new Play().draw(1000).see(A);
    expect(play.log).toEqual([]);
    expect(play.state.wakeAt).toBe(STABLE_MS);
    expect(play.wait(STABLE_MS, A).log).toEqual(["raise A #0"]);
  });

  it("begins anew with every change in the region or below it", () => {
    const play = new Play().draw();
    for (let at = 0; at < 5; at++) {
      play.see(A, { stillness: `drawing ${at}` });
      play.now += 60;
    }
    expect(play.log).toEqual([]);
    expect(play.wait(STABLE_MS, A, { stillness: "drawn" }).log).toEqual(["raise A #0"]);
  });

  it("raises in spite of something that keeps moving below", () => {
    const play = new Play().draw();
    for (let at = 0; at < 25; at++) {
      play.draw().see(A, { stillness: `tick ${at}` });
      play.now += 50;
    }
    expect(play.log).toEqual(["raise A #0"]);
  });

  it("is not needed twice: a dot that blinks elsewhere changes nothing", () => {
    const play = new Play().raise(A);
    for (let blink = 0; blink < 20; blink++) play.draw(40).wait(600, A);
    expect(play.log).toEqual(["raise A #0"]);
  });

  it("waits for an open synchronized update, for a second at most", () => {
    const play = new Play().draw().wait(900, A, { sync: true });
    expect(play.log).toEqual([]);
    expect(play.wait(200, A, { sync: true }).log).toEqual(["raise A #0"]);
  });

  it("wants no timer while nothing is undecided", () => {
    expect(new Play().raise(A).wait(10, A).state.wakeAt).toBeNull();
    expect(new Play().draw().wait(1000, null).state.wakeAt).toBeNull();
  });

  it.each([
    ["a menu that the user opened", candidate("menu", { safetyClass: "user_menu" })],
    ["a candidate below the lowest band", candidate("weak", { score: 0.5 })],
  ])("never raises %s", (_name, found) => {
    expect(new Play().draw().wait(5000, found).log).toEqual([]);
  });
});

describe("a prompt that leaves the screen", () => {
  it("is withdrawn once the picture is not half drawn, and is a new one when it comes back", () => {
    const play = new Play().raise(A).draw().see(null);
    expect(play.log).toEqual(["raise A #0"]);
    play.wait(STABLE_MS + 1, null);
    expect(play.log).toEqual(["raise A #0", "withdraw left_screen"]);
    expect(play.raise(A).log.at(-1)).toBe("raise A #1");
  });

  it("is not gone while it is redrawn", () => {
    const play = new Play().raise(A);
    for (let redraw = 0; redraw < 10; redraw++) {
      play.draw(600).see(null);
      play.now += 40;
      play.draw(600).see(A);
      play.now += 400;
    }
    expect(play.log).toEqual(["raise A #0"]);
  });

  it("is not gone while a synchronized update is open", () => {
    const play = new Play().raise(A).draw().wait(800, null, { sync: true });
    expect(play.draw().see(A).wait(500, A).log).toEqual(["raise A #0"]);
  });

  it("is gone under a spinner that never rests", () => {
    const play = new Play().raise(A);
    for (let frame = 0; frame < 10; frame++) {
      play.draw(40).see(null);
      play.now += 50;
    }
    expect(play.log).toEqual(["raise A #0", "withdraw left_screen"]);
  });

  it("is superseded by another one, which is raised at once if it was still meanwhile", () => {
    const play = new Play().raise(A).draw(1000).wait(STABLE_MS, B);
    expect(play.log).toEqual(["raise A #0", "withdraw superseded", "raise B #1"]);
  });
});

describe("an answer at the keyboard", () => {
  it("is told as such when the dialog closes", () => {
    const play = new Play().raise(A).commit().draw(1000).see(null);
    expect(play.log).toEqual(["raise A #0", "withdraw answered_locally"]);
  });

  it("makes the same dialog, drawn again in a later frame, a new question", () => {
    const play = new Play().raise(A).commit();
    play.now += 80;
    play.draw(1000).see(null);
    play.now += 44;
    expect(play.raise(A).log).toEqual(["raise A #0", "withdraw answered_locally", "raise A #1"]);
  });

  it("makes the same dialog a new question when no frame saw it gone", () => {
    const play = new Play().raise(A).commit();
    play.now += 80;
    play.draw(2900).wait(STABLE_MS, A);
    expect(play.log).toEqual(["raise A #0", "withdraw answered_locally", "raise A #1"]);
  });

  it("makes it a new question when it moved", () => {
    const play = new Play().raise(A).commit();
    const lower = candidate("A", { region: { top: 8, bottom: 13 } });
    expect(play.draw(90).wait(STABLE_MS, lower).log.at(-1)).toBe("raise A #1");
  });

  it("that was ignored leaves the prompt as it is", () => {
    const play = new Play().raise(A).commit();
    for (let blink = 0; blink < 10; blink++) play.draw(42).wait(600, A);
    expect(play.log).toEqual(["raise A #0"]);
  });

  it("is no reason to take a resize's redraw for a new question", () => {
    const play = new Play().raise(A).commit().say("resized");
    play.draw(2000).see(null);
    play.now += 20;
    expect(play.draw(2000).wait(1000, A).log).toEqual(["raise A #0"]);
  });

  it("by us is told apart from one by the person", () => {
    expect(new Play().raise(A).commit("us").draw(1000).see(null).log.at(-1)).toBe("withdraw answered_by_us");
  });

  it("that moves the highlight is none", () => {
    const play = new Play().raise(A);
    for (let row = 1; row <= 20; row++)
      play.draw(190).wait(150, candidate("A", { highlighted: (row % 2) + 1 }));
    expect(play.log).toEqual(["raise A #0"]);
  });
});

describe("a resize", () => {
  it("leaves a prompt standing that is missing for a moment", () => {
    const play = new Play().raise(A).say("resized").draw(30).see(null);
    play.now += 300;
    play.see(null);
    expect(play.draw(1700).wait(1000, A).log).toEqual(["raise A #0"]);
  });

  it("takes a prompt for the same whose labels are cut now", () => {
    const cut = candidate("A cut", {
      question: "A",
      content: { text: "A", cut: null },
      choices: [choice("Yes"), choice("N…")],
    });
    const play = new Play().raise(A).say("resized").draw(1000).wait(1000, cut);
    expect(play.log).toEqual(["raise A #0"]);
    expect(play.state.pending?.candidate).toBe(cut);
  });

  it("without which such a change is another prompt", () => {
    const cut = candidate("A cut", { question: "A", choices: [choice("Yes"), choice("N…")] });
    expect(new Play().raise(A).draw(1000).wait(1000, cut).log.at(-1)).toBe("raise A #1");
  });

  it("to other rows supersedes it, after the guard", () => {
    const fewer = candidate("A fewer", { question: "A", choices: [choice("No")] });
    const play = new Play().raise(A).say("resized").draw(1000);
    expect(play.wait(450, fewer).log).toEqual(["raise A #0"]);
    expect(play.wait(100, fewer).log).toEqual(["raise A #0", "withdraw superseded", "raise A #1"]);
  });

  it("does not hide that the prompt is gone", () => {
    const play = new Play().raise(A).say("resized").draw(1000).wait(700, null);
    expect(play.log).toEqual(["raise A #0", "withdraw left_screen"]);
  });
});

describe("a reply that ended without proof", () => {
  it("has what is still asked asked anew", () => {
    const play = new Play().raise(A).say("reply_unsettled").wait(STABLE_MS, A);
    expect(play.log).toEqual(["raise A #0", "raise A #1"]);
  });

  it("raises nothing when nothing is asked any more", () => {
    expect(new Play().raise(A).say("reply_unsettled").wait(1000, null).log).toEqual(["raise A #0"]);
  });
});

describe("a hook or protocol request that was answered", () => {
  it("does not raise the dialog again that is about to close", () => {
    const play = new Play().raise(A).say("request_settled").wait(400, A).draw(1000).wait(1000, null);
    expect(play.log).toEqual(["raise A #0"]);
  });

  it("makes the same dialog a new question once it was gone", () => {
    const play = new Play().raise(A).say("request_settled").draw(1000).see(null);
    play.now += 44;
    expect(play.raise(A).log).toEqual(["raise A #0", "raise A #1"]);
  });

  it("raises a dialog that stays after all", () => {
    expect(new Play().raise(A).say("request_settled").wait(1500, A).log.at(-1)).toBe("raise A #1");
  });
});

describe("a row that is being edited", () => {
  it("is the same prompt whatever stands in the row", () => {
    const edited = candidate("A edited", {
      question: "A",
      content: { text: "A", cut: null },
      choices: [choice("Yes"), { ...choice("No, because"), takesText: "required" }],
    });
    const play = new Play().raise(A).draw(60).wait(1000, edited);
    expect(play.log).toEqual(["raise A #0"]);
  });
});

describe("the tool's state", () => {
  it("is told when it changes, and is waiting while a prompt is raised", () => {
    const states: string[] = [];
    let state = INITIAL_TRACKER;
    const frames: (Candidate | null)[] = [null, null, A, A, null];
    for (const [index, found] of frames.entries()) {
      const step = advanceTracker(state, {
        kind: "frame",
        now: index * 1000,
        candidate: found,
        state: found ? "waiting" : "working",
        stableMs: STABLE_MS,
        stillness: "",
        isUnfinished: false,
        outputAt: 0,
        outputBytes: 0,
        lineFeeds: 0,
      });
      state = step.state;
      states.push(...step.outputs.flatMap((output) => (output.kind === "state" ? [output.state] : [])));
    }
    expect(states).toEqual(["working", "waiting", "working"]);
  });
});
