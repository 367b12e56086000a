/** A prompt that reaches nobody is reported after five seconds with the reason, and is counted at the end of the run. */
import { describe, expect, it } from "vitest";
import { asId, type PromptId } from "../../../../src/model/ids.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import {
  LOOK_EVERY_MS,
  Reach,
  UNREACHED_AFTER_MS,
  type HubState,
} from "../../../../src/worker/session/reach.js";

const prompt = (name: string): PromptId => asId<PromptId>(name);
const NOBODY = { problem: "chat: the token is refused (401)" };
const SOMEBODY = { problem: null };

function watch() {
  const clock = new ManualClock();
  const state = { link: null as string | null, standing: new Map<PromptId, HubState>() };
  const told: (string | null)[] = [];
  const reach = new Reach({
    clock,
    describeMissingHub: () => state.link,
    openPrompts: () => state.standing,
    onChange: (problem) => told.push(problem),
  });
  const raise = (name: string, hub: HubState = "stored"): void => {
    state.standing.set(prompt(name), hub);
    reach.check();
  };
  const gone = (name: string): void => void state.standing.delete(prompt(name));
  return { clock, state, told, reach, raise, gone };
}

describe("a question that reaches nobody", () => {
  it("is reported after five seconds, with the reason, and no longer once it is gone", () => {
    const { clock, told, reach, raise, gone } = watch();
    reach.noteReach(NOBODY);
    raise("a");
    clock.advance(UNREACHED_AFTER_MS - 1);
    expect(told).toEqual([]);
    clock.advance(LOOK_EVERY_MS);
    expect(told).toEqual([NOBODY.problem]);
    gone("a");
    clock.advance(LOOK_EVERY_MS);
    expect(told).toEqual([NOBODY.problem, null]);
    expect(reach.summary).toBe("1 question reached nobody: chat: the token is refused (401)");
    expect(clock.pending).toBe(0);
  });

  it("is reported with its own reason where another prompt of the session reaches somebody", () => {
    const { clock, told, reach, raise, gone } = watch();
    reach.noteReach({
      ...SOMEBODY,
      unreachedPrompts: { a: "chat: nobody who may answer reads its chats" },
    });
    raise("a");
    raise("b");
    clock.advance(UNREACHED_AFTER_MS + LOOK_EVERY_MS);
    expect(told).toEqual(["chat: nobody who may answer reads its chats"]);
    gone("a");
    clock.advance(2 * UNREACHED_AFTER_MS);
    gone("b");
    clock.advance(LOOK_EVERY_MS);
    expect(reach.summary).toBe("1 question reached nobody: chat: nobody who may answer reads its chats");
  });

  it.each([
    [
      "no hub has the session",
      (w: ReturnType<typeof watch>) => (w.state.link = "the hub cannot start"),
      /cannot start/,
    ],
    ["the hub has said nothing yet", () => undefined, /has not reported/],
  ])("is reported while %s", (_, prepare, why) => {
    const made = watch();
    prepare(made);
    made.raise("a");
    made.clock.advance(UNREACHED_AFTER_MS + LOOK_EVERY_MS);
    expect(made.told).toEqual([expect.stringMatching(why)]);
  });

  it("is reported when a hub hangs, with another reason than that it could not be stored", () => {
    const { clock, told, reach, raise } = watch();
    reach.noteReach(SOMEBODY);
    raise("a", "unanswered");
    clock.advance(UNREACHED_AFTER_MS + LOOK_EVERY_MS);
    expect(told).toEqual(["the hub does not answer"]);
  });

  it("is counted at the end where its card never arrived, although nothing was known of that at first", () => {
    const { clock, reach, raise } = watch();
    reach.noteReach(SOMEBODY);
    raise("a");
    clock.advance(UNREACHED_AFTER_MS + 50);
    reach.noteReach(NOBODY);
    reach.close();
    expect(reach.summary).toMatch(/^1 question reached nobody: /);
  });

  it("is reported while the hub cannot store it", () => {
    const { clock, state, told, reach, raise } = watch();
    reach.noteReach(SOMEBODY);
    raise("a", "refused");
    clock.advance(UNREACHED_AFTER_MS + LOOK_EVERY_MS);
    expect(told).toEqual(["the hub could not store the prompt"]);
    state.standing.set(prompt("a"), "stored");
    clock.advance(LOOK_EVERY_MS);
    expect(told.at(-1)).toBeNull();
    reach.close();
    expect(reach.summary).toBeNull();
  });

  it("is reported at once when its channel fails while it stands", () => {
    const { clock, told, reach, raise } = watch();
    reach.noteReach(SOMEBODY);
    raise("a");
    clock.advance(UNREACHED_AFTER_MS * 2);
    expect(told).toEqual([]);
    reach.noteReach(NOBODY);
    expect(told).toEqual([NOBODY.problem]);
    reach.noteReach(SOMEBODY);
    expect(told).toEqual([NOBODY.problem, null]);
    reach.close();
    expect(reach.summary).toBeNull();
  });

  it("counts none that was answered at the terminal at once, and all that stood", () => {
    const { clock, reach, raise, gone } = watch();
    reach.noteReach(NOBODY);
    raise("quick");
    clock.advance(1_000);
    gone("quick");
    raise("a");
    raise("b");
    clock.advance(UNREACHED_AFTER_MS + LOOK_EVERY_MS);
    reach.close();
    expect(reach.summary).toMatch(/^2 questions reached nobody: /);
  });
});
