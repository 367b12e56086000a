/**
 * After an answer the remaining or uncovered drawing of a dialog is not raised again for a moment, and a dialog that still stands
 * after that is.
 */
import { describe, expect, it } from "vitest";
import {
  ANSWERED_CLOSING_MS,
  TWIN_CLOSING_MS,
} from "../../../../../src/worker/detection/live/tracker-limits.js";
import { candidate, choice, Play, STABLE_MS } from "./play.js";

const A = candidate("A");

describe("an answer at the keyboard", () => {
  it("is reported as such when the dialog closes", () => {
    const play = new Play().raise(A).commit().draw(1000).wait(STABLE_MS, null);
    expect(play.log).toEqual(["raise A #0", "withdraw answered_locally"]);
  });

  it("is not over while the dialog is drawn anew in several writes", () => {
    const play = new Play().raise(A).commit().draw(2000).see(null);
    play.now += 74;
    const lit = candidate("A", { highlighted: 2 });
    expect(play.draw(150).wait(60, lit).log).toEqual(["raise A #0"]);
  });

  it("that shows in the dialog's highlight is not yet its end", () => {
    const play = new Play().raise(A).commit();
    // Drawn anew once more: a busy machine takes its time to close it.
    for (let time = 0; time < 2; time++) play.draw(2000).wait(750, candidate("A", { highlighted: 2 }));
    expect(play.log).toEqual(["raise A #0"]);
    expect(play.draw(2000).wait(STABLE_MS, null).log.at(-1)).toBe("withdraw answered_locally");
  });

  it("that shows in the ticks of its rows is not yet its end", () => {
    const ticked = { ...choice("Yes"), checked: true };
    const play = new Play()
      .raise(candidate("A", { choices: [{ ...ticked, checked: false }, choice("No")] }))
      .commit();
    play.draw(2000).wait(750, candidate("A", { choices: [ticked, choice("No")] }));
    expect(play.log).toEqual(["raise A #0"]);
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

  it.each(["trust", "startup", "update"] as const)(
    "leaves what is asked once a start as it is, whatever else is drawn: %s",
    (safetyClass) => {
      const once = candidate("A", { safetyClass });
      const lower = { ...once, region: { top: 8, bottom: 13 } };
      const play = new Play().raise(once).commit("us").draw(2900).wait(1500, lower);
      expect(play.log).toEqual(["raise A #0"]);
      expect(play.draw(100).wait(STABLE_MS, null).log.at(-1)).toBe("withdraw answered_by_us");
      // Its answer went astray.
      expect(new Play().raise(once).commit("us").say("reply_unsettled").wait(150, once).log.at(-1)).toBe(
        "raise A #1",
      );
    },
  );

  it("is no new question when the closing dialog is touched once more", () => {
    const play = new Play().raise(A).commit().draw(202).wait(90, A).draw(1000).wait(STABLE_MS, null);
    expect(play.log).toEqual(["raise A #0", "withdraw answered_locally"]);
  });

  it("is no new question while the drawing that marks the answer is not whole", () => {
    const lit = candidate("A", { highlighted: 2 });
    const play = new Play().raise(A).commit("us").draw(1600).see(A, { sync: true });
    play.now += 80;
    play.see(null, { sync: true });
    play.now += 80;
    play.wait(300, lit).draw(1000).wait(STABLE_MS, null);
    expect(play.log).toEqual(["raise A #0", "withdraw answered_by_us"]);
  });

  it("is no new question while a sign behind the chosen row is all that changed, though much was drawn", () => {
    const list = ["  1. Yes", "  2. No"].join("\n");
    const chosen = candidate("A", { listed: list.replace("Yes", "Yes ✓") });
    const play = new Play().raise(candidate("A", { listed: list })).commit("us");
    play.draw(700).wait(300, chosen).draw(1000).wait(STABLE_MS, null);
    expect(play.log).toEqual(["raise A #0", "withdraw answered_by_us"]);
  });

  it("makes a short question that is asked again in its place a new one, a little later", () => {
    const play = new Play().raise(A).commit().draw(250).wait(130, A);
    expect(play.log).toEqual(["raise A #0", "withdraw answered_locally"]);
    expect(play.wait(20, A).log.at(-1)).toBe("raise A #1");
  });

  it("makes it a new question when it moved", () => {
    const play = new Play().raise(A).commit();
    const lower = candidate("A", { region: { top: 8, bottom: 13 } });
    expect(play.draw(90).wait(STABLE_MS, lower).log.at(-1)).toBe("raise A #1");
  });

  it("makes it a new question when it moved in a drawing that was first seen half", () => {
    const play = new Play().raise(A).commit();
    const lower = candidate("A", { region: { top: 8, bottom: 13 } });
    play.draw(90).see(lower, { sync: true });
    expect(play.wait(STABLE_MS, lower).log.at(-1)).toBe("raise A #1");
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

  it("by us is distinguished from one by the person", () => {
    const play = new Play().raise(A).commit("us").draw(1000).wait(STABLE_MS, null);
    expect(play.log.at(-1)).toBe("withdraw answered_by_us");
  });

  it("that only moves the highlight does not count", () => {
    const play = new Play().raise(A);
    for (let row = 1; row <= 20; row++)
      play.draw(190).wait(150, candidate("A", { highlighted: (row % 2) + 1 }));
    expect(play.log).toEqual(["raise A #0"]);
  });
});

describe("the answer to a dialog over another", () => {
  const over = candidate("Always?", { reveals: { rule: "test", withinMs: 1000 } });
  const answered = (): Play => new Play().raise(A).commit("us").draw(800).raise(over).commit("us").draw(800);

  it("does not answer the one below, which is drawn again for a moment", () => {
    const play = answered().wait(700, A).draw(800).wait(1000, null);
    expect(play.log).toEqual([
      "raise A #0",
      "withdraw answered_by_us",
      "raise Always? #1",
      "withdraw answered_by_us",
    ]);
  });

  it("leaves the one below asked where it led back to that", () => {
    expect(answered().wait(1200, A).log.at(-1)).toBe("raise A #2");
  });

  it("does not keep another question back", () => {
    const other = candidate("B");
    expect(answered().wait(250, other).log.at(-1)).toBe("raise B #2");
  });
});

describe("a reply that ended without proof", () => {
  it("lets a question that still stands be raised again", () => {
    const play = new Play().raise(A).say("reply_unsettled").wait(STABLE_MS, A);
    expect(play.log).toEqual(["raise A #0", "raise A #1"]);
  });

  it("raises nothing when nothing is asked any more", () => {
    expect(new Play().raise(A).say("reply_unsettled").wait(1000, null).log).toEqual(["raise A #0"]);
  });
});

describe("a dialog on which an effect of our keys was seen", () => {
  it("is raised again where it stands for three seconds, whatever its marks", () => {
    const moved = { ...A, highlighted: 2 };
    const play = new Play().raise(A).commit("us").draw(1000).settle(ANSWERED_CLOSING_MS);
    expect(play.wait(2900, moved).log).toEqual(["raise A #0"]);
    expect(play.wait(STABLE_MS + 150, moved).log).toEqual(["raise A #0", "raise A #1"]);
  });
});

describe("a hook or protocol request that was answered", () => {
  it("does not raise the dialog again that is about to close", () => {
    const play = new Play().raise(A).settle().wait(400, A).draw(1000).wait(1000, null);
    expect(play.log).toEqual(["raise A #0"]);
  });

  it("makes the same dialog a new question once it was gone", () => {
    const play = new Play().raise(A).settle().draw(1000).see(null);
    play.now += 44;
    expect(play.raise(A).log).toEqual(["raise A #0", "raise A #1"]);
  });

  it("raises a dialog that stays after all", () => {
    expect(new Play().raise(A).settle().wait(6000, A).log.at(-1)).toBe("raise A #1");
  });

  it("gives the dialog seconds to close: on a loaded machine it stands for more than one", () => {
    const play = new Play().raise(A).settle().wait(3000, A).wait(1000, null);
    expect(play.log).toEqual(["raise A #0"]);
  });

  it("raises the equal dialog of an equal request sooner", () => {
    const play = new Play().raise(A).settle(TWIN_CLOSING_MS).wait(1500, A);
    expect(play.log.at(-1)).toBe("raise A #1");
  });

  it("raises the dialog again at once when the answer had no effect", () => {
    const play = new Play().raise(A).settle().wait(4000, A).say("reply_unsettled").wait(STABLE_MS, A);
    expect(play.log).toEqual(["raise A #0", "raise A #2"]);
  });
});

describe("a row that is being edited", () => {
  it("is the same prompt whatever stands in the row", () => {
    const edited = candidate("A edited", {
      question: "A",
      content: { text: "A", cut: null },
      choices: [choice("Yes"), { ...choice("No, because"), takesText: "required" }],
      highlighted: 2,
    });
    const play = new Play().raise(A).draw(60).wait(1000, edited);
    expect(play.log).toEqual(["raise A #0"]);
  });
});
