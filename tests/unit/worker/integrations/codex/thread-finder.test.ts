/**
 * The thread of codex that the tool in the terminal shows is the only one that has followed the tool's states, among a limited
 * number of threads.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  SETTLED_MS,
  STRAYED_MS,
  THREADS_MAX,
  ThreadFinder,
  type ThreadActivity,
} from "../../../../../src/worker/integrations/codex/thread-finder.js";

/** `tool idle`, `A working`, `gone A`, `hide A`, `more 9`; a look after each `look`. */
function seen(...steps: readonly string[]): (string | null)[] {
  const finder = new ThreadFinder();
  let now = 0;
  return steps.flatMap((step) => {
    const [who = "", doing = ""] = step.split(" ");
    now += 1;
    if (who === "look") {
      now += SETTLED_MS;
      return [finder.compare()];
    }
    if (who === "tool") finder.noteTool(doing as ThreadActivity, now);
    else if (who === "elsewhere") finder.noteThread(doing, "idle", now, { parent: null, isElsewhere: true });
    else if (who === "gone") finder.forget(doing);
    else if (who === "hide") finder.hide(doing);
    else if (who === "more")
      for (let nth = 0; nth < Number(doing); nth++) finder.noteThread(`more-${nth}`, "idle", now);
    else finder.noteThread(who, doing as ThreadActivity, now);
    return [];
  });
}

describe("the thread that the tool in our terminal shows", () => {
  it("is the one that alone has followed it", () => {
    expect(seen("A idle", "B idle", "tool idle", "look", "tool working", "A working", "look")).toEqual([
      null,
      "A",
    ]);
  });

  it("is not one that only rests while the tool rests", () => {
    expect(seen("A idle", "tool idle", "look", "look")).toEqual([null, null]);
  });

  it("is unknown while two have followed it, until one does something else", () => {
    const both = ["A idle", "B idle", "tool idle", "look", "tool working", "A working", "B working", "look"];
    expect(seen(...both, "B waiting", "look", "A waiting", "tool waiting", "look")).toEqual([
      null,
      null,
      "A",
      "A",
    ]);
  });

  it("is not one that no interface shows, however well it follows", () => {
    const first = [
      "A idle",
      "B idle",
      "tool idle",
      "look",
      "hide B",
      "tool working",
      "B working",
      "A working",
    ];
    expect(seen(...first, "look")).toEqual([null, "A"]);
    expect(seen("hide B", "B idle", "tool idle", "look", "tool working", "B working", "look")).toEqual([
      null,
      null,
    ]);
  });

  it("is unknown where there are more threads than are compared, also once they are gone", () => {
    const all = (count: number) =>
      seen("A idle", `more ${count}`, "tool idle", "look", "tool working", "A working", "look");
    expect(all(THREADS_MAX - 1)).toEqual([null, "A"]);
    expect(all(THREADS_MAX)).toEqual([null, null]);
  });

  it("is not one of a server that the tool is no client of", () => {
    expect(seen("A idle", "tool idle", "look", "tool working", "look", "tool idle", "look")).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("is the next one once another follows it", () => {
    const first = [
      "A idle",
      "tool idle",
      "look",
      "tool working",
      "A working",
      "look",
      "A idle",
      "tool idle",
      "look",
    ];
    expect(seen(...first, "B idle", "tool working", "B working", "look")).toEqual([null, "A", "A", null]);
    expect(seen(...first, "B idle", "look", "tool working", "B working", "look")).toEqual([
      null,
      "A",
      "A",
      null,
      "B",
    ]);
  });

  it("is not one that works in another folder, however well it follows", () => {
    expect(seen("elsewhere A", "tool idle", "look", "tool working", "A working", "look")).toEqual([
      null,
      null,
    ]);
  });

  it("is given up when it has done something else for a while, and has to follow again", () => {
    const finder = new ThreadFinder();
    let now = 0;
    const looks = (): [string[], string | null] => {
      now += SETTLED_MS;
      return [finder.releaseStrays(now), finder.compare()];
    };
    const both = (tool: ThreadActivity, thread: ThreadActivity): [string[], string | null] => {
      finder.noteTool(tool, now);
      finder.noteThread("A", thread, now);
      return looks();
    };
    both("idle", "idle");
    expect(both("working", "working")).toEqual([[], "A"]);
    expect(both("working", "idle")).toEqual([[], null]);
    expect(finder.computeDueMs(now)).toBe(STRAYED_MS);
    expect(finder.isOwn("A")).toBe(true);
    expect(finder.isInSync("A")).toBe(false);
    now += STRAYED_MS;
    expect(looks()).toEqual([["A"], null]);
    expect(finder.isOwn("A")).toBe(false);
    expect(finder.computeDueMs(now)).toBeNull();
    expect(both("idle", "idle")).toEqual([[], null]);
    expect(both("working", "working")).toEqual([[], "A"]);
  });

  it("is not given up while the tool shows an agent of it", () => {
    const finder = new ThreadFinder();
    const looks = (now: number): string[] => {
      const strays = finder.releaseStrays(now);
      finder.compare();
      return strays;
    };
    finder.noteTool("idle", 0);
    finder.noteThread("A", "idle", 0);
    looks(1000);
    finder.noteTool("working", 1000);
    finder.noteThread("A", "working", 1000);
    looks(2000);
    finder.noteThread("agent", "waiting", 2000, { parent: "A", isElsewhere: false });
    finder.noteTool("waiting", 2000);
    expect(looks(3000)).toEqual([]);
    expect(looks(9000)).toEqual([]);
    expect(finder.isInSync("A")).toBe(true);
  });

  it("is looked for when both were quiet for a while", () => {
    const finder = new ThreadFinder();
    expect(finder.computeDueMs(0)).toBeNull();
    finder.noteThread("A", "idle", 100);
    expect(finder.computeDueMs(150)).toBe(SETTLED_MS - 50);
    finder.noteTool("idle", 200);
    expect(finder.computeDueMs(200 + 2 * SETTLED_MS)).toBe(0);
    finder.compare();
    expect(finder.computeDueMs(900)).toBeNull();
  });

  it("is never one that stood still while the tool went on", () => {
    const doing = fc.constantFrom("working", "waiting", "idle");
    fc.assert(
      fc.property(fc.array(doing, { minLength: 1, maxLength: 12 }), doing, (tool, still) => {
        const steps = tool.flatMap((each) => [`tool ${each}`, "look"]);
        expect(seen(`A ${still}`, ...steps).every((found) => found === null)).toBe(true);
      }),
    );
  });
});
