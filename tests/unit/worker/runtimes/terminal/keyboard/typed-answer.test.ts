/** What a person chose at a dialog is said only where the keys that were typed there prove it. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../../src/observe/clock.js";
import type { CandidateChoice } from "../../../../../../src/sdk/candidate.js";
import type { JoinedPrompt } from "../../../../../../src/worker/runtimes/terminal/joined/joined-prompt.js";
import { TypedKeys } from "../../../../../../src/worker/runtimes/terminal/keyboard/typed-keys.js";

const LIST = [
  { label: "Yes", answer: { by: "key", key: "1" } },
  { label: "Yes, and tell it why", answer: { by: "key", key: "2" }, takesText: "optional" },
  { label: "No", answer: { by: "key", key: "3" } },
];
const LINE = [
  { label: "Yes", answer: { by: "line", text: "y" } },
  { label: "No", answer: { by: "line", text: "n" } },
];
const KEY_OR_LINE = [{ label: "Yes", answer: { by: "typed", text: "y" } }];
const ARROWS = [
  { label: "Yes", answer: { by: "arrows" } },
  { label: "No", answer: { by: "arrows" } },
];
const DROPS_KEYS_MS = 250;

function rig(choices: readonly unknown[], multi = false) {
  const clock = new ManualClock();
  const keys = new TypedKeys(clock, (text) => text);
  const candidate = {
    choices: choices as CandidateChoice[],
    highlighted: 1,
    constraints: multi ? { multi } : {},
    committingKeys: ["\r"],
  };
  const prompt = {
    event: { promptId: "p1" },
    drawn: { candidate, epoch: 1 },
    acceptsKeysAt: clock.monotonic() + DROPS_KEYS_MS,
  } as unknown as JoinedPrompt;
  const type = (text: string): void => keys.noteForwarded(Buffer.from(text), prompt);
  return {
    clock,
    type,
    found: () => keys.describeEnd(prompt.event.promptId, "answered_locally").answer,
    keys,
  };
}

describe("the choice that was taken at the terminal", () => {
  it("is said of no prompt that ended in another way", () => {
    const { clock, type, keys } = rig(LIST);
    clock.advance(DROPS_KEYS_MS);
    type("1");
    expect(keys.describeEnd("p1" as never, "left_screen")).not.toHaveProperty("answer");
  });

  it.each([
    ["a row by its digit", LIST, ["3"], "No"],
    ["the highlighted row by Enter", LIST, ["\r"], "Yes"],
    ["a highlighted row without a key by Enter", ARROWS, ["\r"], "Yes"],
    ["a line, key by key", LINE, ["n", "\r"], "No"],
    ["a line in one read", LINE, ["y\r"], "Yes"],
    ["a key that acts at once", KEY_OR_LINE, ["y"], "Yes"],
    ["a key that Enter follows", KEY_OR_LINE, ["y", "\r"], "Yes"],
  ] as const)("is known: %s", (_, choices, reads, label) => {
    const { clock, type, found } = rig(choices);
    clock.advance(DROPS_KEYS_MS);
    for (const read of reads) type(read);
    expect(found()).toBe(label);
  });

  it.each([
    ["the highlight was moved before Enter", LIST, ["\x1b[B", "\r"]],
    ["several keys were typed", LIST, ["1", "3"]],
    ["the row takes words", LIST, ["2"]],
    ["the key is none of the choices", LIST, ["\x1b"]],
    ["a line without its Enter", LINE, ["y"]],
    ["text was pasted before", LIST, ["\x1b[200~3\x1b[201~", "\r"]],
    ["very much was typed", LINE, ["no no no no no", "\r"]],
  ] as const)("is not known where %s", (_, choices, reads) => {
    const { clock, type, found } = rig(choices);
    clock.advance(DROPS_KEYS_MS);
    for (const read of reads) type(read);
    expect(found()).toBeUndefined();
  });

  it("is not known where the tool may have dropped a key, where several are ticked, and of another prompt", () => {
    const early = rig(LIST);
    early.type("2");
    early.clock.advance(DROPS_KEYS_MS);
    early.type("\r");
    expect(early.found()).toBeUndefined();
    const ticked = rig(LIST, true);
    ticked.clock.advance(DROPS_KEYS_MS);
    ticked.type("1");
    expect(ticked.found()).toBeUndefined();
    expect(early.keys.describeEnd("p2" as never, "answered_locally").answer).toBeUndefined();
  });
});
