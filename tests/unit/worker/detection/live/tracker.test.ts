/** The tracker raises a candidate once it has been still, withdraws it when it has left the screen, and keeps it across a resize. */
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import { advanceTracker } from "../../../../../src/worker/detection/live/tracker.js";
import { GONE_QUIET_MS } from "../../../../../src/worker/detection/live/tracker-limits.js";
import { INITIAL_TRACKER } from "../../../../../src/worker/detection/live/tracker-state.js";
import { candidate, choice, Play, STABLE_MS } from "./play.js";

const A = candidate("A");
const B = candidate("B");

describe("quietKey: the time without a change", () => {
  it("raises a candidate once it has been still", () => {
    const play = new Play().draw(1000).see(A);
    expect(play.log).toEqual([]);
    expect(play.state.wakeAt).toBe(STABLE_MS);
    expect(play.wait(STABLE_MS, A).log).toEqual(["raise A #0"]);
  });

  it("is counted from the byte that drew it, not from the look that saw it", () => {
    const play = new Play().draw(1000);
    play.now += 40;
    expect(play.see(A).state.wakeAt).toBe(STABLE_MS);
  });

  it("is not counted for the time in which nobody could look", () => {
    const play = new Play().draw(1000);
    play.now += 48;
    expect(play.see(A, { lateMs: 40 }).state.wakeAt).toBe(STABLE_MS + 40);
  });

  it("is counted from the look where that came later than looks do", () => {
    const play = new Play().draw(1000);
    play.now += 400;
    expect(play.see(A).log).toEqual([]);
    expect(play.wait(STABLE_MS, A).log).toEqual(["raise A #0"]);
  });

  it("starts again with every change in the region or below it", () => {
    const play = new Play().draw();
    for (let at = 0; at < 5; at++) {
      play.see(A, { quietKey: `drawing ${at}` });
      play.now += 60;
    }
    expect(play.log).toEqual([]);
    expect(play.wait(STABLE_MS, A, { quietKey: "drawn" }).log).toEqual(["raise A #0"]);
  });

  it("raises in spite of something that keeps moving below", () => {
    const play = new Play().draw();
    for (let at = 0; at < 25; at++) {
      play.draw().see(A, { quietKey: `tick ${at}` });
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
    expect(play.wait(STABLE_MS + 1, null).log).toEqual(["raise A #0"]);
    play.wait(GONE_QUIET_MS, null);
    expect(play.log).toEqual(["raise A #0", "withdraw left_screen"]);
    expect(play.raise(A).log.at(-1)).toBe("raise A #1");
  });

  it("is withdrawn sooner when another one stands in its place", () => {
    const play = new Play().raise(A).draw(1000).wait(STABLE_MS, B);
    expect(play.log).toEqual(["raise A #0", "withdraw superseded", "raise B #1"]);
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
      size: { cols: 45, rows: 20 },
    });
    const play = new Play().raise(A).say("resized").draw(1000).wait(1000, cut);
    expect(play.log).toEqual(["raise A #0"]);
    expect(play.state.pending?.candidate).toBe(cut);
  });

  it("never leads away from what people were shown, picture by picture", () => {
    const wide = candidate("A", { content: { text: "rm -rf /srv/app/old", cut: null } });
    const narrow = candidate("A narrow", {
      question: "A",
      content: { text: "rm -rf\n/srv/app/old", cut: null },
      size: { cols: 45, rows: 20 },
    });
    const parted = candidate("A parted", {
      question: "A",
      content: { text: "rm -rf /srv/app /old", cut: null },
    });
    const back = new Play().raise(wide).say("resized").draw(1000).wait(200, narrow).say("resized").draw(1000);
    expect(back.wait(1000, wide).log).toEqual(["raise A #0"]);
    const away = new Play().raise(wide).say("resized").draw(1000).wait(200, narrow).say("resized").draw(1000);
    expect(away.wait(1000, parted).log).toEqual(["raise A #0", "withdraw superseded", "raise A #1"]);
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

describe("the tool's state", () => {
  it("is reported when it changes, and is waiting while a prompt is raised", () => {
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
        quietKey: "",
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
