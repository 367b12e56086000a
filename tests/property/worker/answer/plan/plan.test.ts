/**
 * A plan of an answer consists of whole keys, marked pastes and single lines, and only its last write can confirm anything.
 * Escape strings never throw.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { PROMPT_TYPES } from "../../../../../src/model/prompt.js";
import { NEWLINE_POLICIES } from "../../../../../src/model/answer/reply.js";
import type { Candidate, ChoiceAnswer } from "../../../../../src/sdk/candidate.js";
import { decodeEscapes, isOneKey } from "../../../../../src/worker/answer/plan/bytes.js";
import { planAnswer } from "../../../../../src/worker/answer/plan/plan.js";
import { isPlan } from "../../../../../src/worker/answer/plan/plan-steps.js";
import { makeCandidate, makeChoices, replyTo, makeView } from "../../../../unit/worker/answer/make.js";

const answer = fc.oneof(
  fc.record({ by: fc.constant("key" as const), key: fc.constantFrom("1", "2", "y", "\u001b", "12", "") }),
  fc.constant({ by: "arrows" as const }),
  fc.record({ by: fc.constant("line" as const), text: fc.constantFrom("y", "2", "") }),
) satisfies fc.Arbitrary<ChoiceAnswer>;

const choice = fc.record(
  {
    label: fc.string({ maxLength: 5 }),
    answer,
    intent: fc.constantFrom("allow_once" as const, "reject_once" as const, "other" as const),
    takesText: fc.constantFrom("optional" as const, "required" as const),
    checked: fc.boolean(),
    textKeys: fc.constant(["\t"]),
  },
  { requiredKeys: ["label", "answer"] },
);

const candidate: fc.Arbitrary<Candidate> = fc
  .record(
    {
      promptType: fc.constantFrom(...PROMPT_TYPES),
      choices: fc.array(choice, { maxLength: 5 }).map((parts) => makeChoices(...parts)),
      highlighted: fc.option(fc.integer({ min: 1, max: 5 })),
      constraints: fc.record({ multi: fc.boolean(), multiline: fc.boolean(), allowEmpty: fc.boolean() }),
      textEntry: fc.constantFrom("line" as const, "paste" as const),
      checkList: fc.constant({ toggle: " ", submit: [{ key: "\t", leadsTo: "review" }, { key: "\r" }] }),
    },
    { requiredKeys: ["promptType", "choices", "highlighted", "constraints"] },
  )
  .map(makeCandidate);

const value = fc.oneof(
  fc.constantFrom("y", "n", "1", "2", "1,3", "", "enter", "esc", "text:hi", "default", "\\x1b"),
  fc.string({ unit: "binary", maxLength: 30 }),
);

const PASTE = /^\u001b\[200~[^\u001b\r]*\u001b\[201~$/;
const LINE = /^[^\u0000-\u001f\u007f-\u009f]*\r?$/;

it("a plan is whole keys, marked pastes and single lines, and only its last write can confirm anything", () => {
  fc.assert(
    fc.property(
      candidate,
      value,
      fc.option(value, { nil: undefined }),
      fc.constantFrom(...NEWLINE_POLICIES),
      fc.boolean(),
      (raised, wanted, text, policy, bracketedPaste) => {
        const view = makeView([], { modes: { bracketedPaste } });
        const plan = planAnswer(raised, view, replyTo(raised, wanted, text, policy));
        if (!isPlan(plan)) return;
        expect(plan.steps.length).toBeGreaterThan(0);
        for (const [i, { keys, expects }] of plan.steps.entries()) {
          const last = i === plan.steps.length - 1;
          expect(keys).not.toBe("");
          expect(isOneKey(keys) || PASTE.test(keys) || LINE.test(keys)).toBe(true);
          if (!last) expect(keys.includes("\r")).toBe(false);
          // The digit of a row stands alone: Enter behind it would answer the next dialog. (A text may be a digit.)
          const afterKey = last && keys === "\r" && expects.echo === undefined;
          if (afterKey) expect(/^[0-9]$/.test(plan.steps[i - 1]?.keys ?? "")).toBe(false);
        }
      },
    ),
    { numRuns: 3000 },
  );
});

it("escape strings never throw and never grow", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("\\", "x", "u", "N", "1", "9", "f", "é", "\n", "{") }),
      (text) => {
        const decoded = decodeEscapes(text);
        if (decoded) expect(decoded.length).toBeLessThanOrEqual(Buffer.byteLength(text));
      },
    ),
    { numRuns: 3000 },
  );
});
