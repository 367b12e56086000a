/** An answer that is not taken gets a code and a plain message, is on record, and uses nothing up. */
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { createRefusal, REFUSAL_TEXT, type RefusalCode } from "../../../../src/model/answer/refusal.js";
import { readDatabase } from "../../../property/hub/read-database.js";
import { turns } from "../fake-channel.js";
import { makeRig, type Rig, SESSION } from "../rig.js";

const LINE: Partial<PromptEvent> = {
  promptType: "free_text",
  safetyClass: "question",
  choices: [],
  defaultChoice: null,
};
const YES_NO: Partial<PromptEvent> = {
  promptType: "yes_no",
  choices: [
    { label: "Yes", intent: "allow_once" },
    { label: "No", intent: "reject_once" },
  ],
  defaultChoice: null,
};

interface Case {
  readonly code: RefusalCode;
  readonly over?: Partial<PromptEvent>;
  /** Null: the safe default. */
  readonly value?: string | null;
  readonly text?: string;
  /** What happened before; default nothing. */
  readonly before?: (rig: Rig, event: PromptEvent) => unknown;
  /** The prompt's state and nonce are left as they were: it can still be answered. */
  readonly stands: boolean;
}

const caller = { sessionId: SESSION };

const BEFORE_THE_CLAIM: readonly Case[] = [
  { code: "option_unknown", value: "4", stands: true },
  { code: "option_unknown", value: "not ok", stands: true },
  { code: "option_unknown", over: YES_NO, value: "not ok", stands: true },
  { code: "option_unknown", over: { constraints: { minChoice: 2, maxChoice: 3 } }, value: "1", stands: true },
  { code: "option_unknown", over: { constraints: { maxChoice: 2 } }, value: "3", stands: true },
  { code: "option_unknown", over: { ...YES_NO, defaultChoice: 1 }, value: "", stands: true },
  { code: "option_unknown", over: { ...YES_NO, defaultChoice: 1 }, value: "enter", stands: true },
  { code: "no_default", over: LINE, value: null, stands: true },
  { code: "empty", over: LINE, value: "", stands: true },
  { code: "too_long", over: LINE, value: "x".repeat(201), stands: true },
  { code: "too_long", over: { ...LINE, constraints: { maxLength: 5 } }, value: "123456", stands: true },
  { code: "control_characters", over: LINE, value: "a\u001b[Ab", stands: true },
  { code: "several_lines", over: LINE, value: "one\ntwo", stands: true },
  { code: "text_not_taken", value: "1", text: "because", stands: true },
  {
    code: "secret",
    over: { ...LINE, promptType: "secret", safetyClass: "secret" },
    value: "x",
    stands: true,
  },
  { code: "paused", before: (rig) => rig.core.setPaused(true, "cli:local" as never), stands: true },
  { code: "used", before: (rig) => rig.chat.tap(rig.chat.cards()[0]!, "3"), stands: false },
  {
    code: "expired",
    before: (rig) => {
      rig.clock.advance(30 * 60_000);
    },
    stands: false,
  },
  {
    code: "withdrawn",
    before: (rig, { promptId }) =>
      rig.core.handlers["prompt.withdraw"]({ promptId, reason: "left_screen" }, caller),
    stands: false,
  },
  {
    code: "session_gone",
    before: (rig) =>
      rig.core.handlers["session.close"]({ sessionId: SESSION, exitCode: 0, signal: null }, caller),
    stands: false,
  },
];

function listRows(
  rig: Rig,
  step: string,
): { code: string; promptId: string | null; identity: string | null }[] {
  const rows = readDatabase<Record<"details" | "prompt_id" | "identity", string>>(
    rig.path,
    "SELECT details, prompt_id, identity FROM audit WHERE step = ? ORDER BY position",
    [step],
  );
  return rows.map(({ details, prompt_id: promptId, identity }) => ({
    code: (JSON.parse(details) as { code: string }).code,
    promptId,
    identity,
  }));
}

describe("an answer that is not taken", () => {
  it.each(BEFORE_THE_CLAIM)(
    "$code (“$value”): says so, is on record, and uses nothing up",
    async ({ code, over = {}, value = "1", text, before, stands }) => {
      const rig = await makeRig();
      const event = await rig.raise(over);
      await before?.(rig, event);
      await turns();
      const { shortId, nonce, state } = rig.store.prompts.find(event.promptId)!;
      const params = { shortId, value, ...(text !== undefined && { text }) };
      const result = await rig.core.handlers["prompt.answer"](params, { sessionId: null });
      expect(result).toMatchObject({ claimed: false, promptId: event.promptId, rejection: { code } });
      const told =
        code === "used"
          ? "Already answered by Ara; the card shows the outcome."
          : code === "no_default"
            ? `${REFUSAL_TEXT[code]} Answer with your text.`
            : REFUSAL_TEXT[code];
      const isMendable = ["option_unknown", "empty", "text_not_taken"].includes(code);
      expect(result.rejection?.text).toMatch(isMendable ? `${told} Answer with ` : told);
      expect(listRows(rig, "answer_rejected")).toEqual([
        { code, promptId: event.promptId, identity: "cli:local" },
      ]);
      expect(rig.store.prompts.find(event.promptId)).toMatchObject({ nonce, state });
      expect(state === "pending").toBe(stands);
      expect(rig.link.replies).toHaveLength(code === "used" ? 1 : 0);
    },
  );

  it("of a person who may not answer, or to an unknown prompt, says so and is on record", async () => {
    const rig = await makeRig();
    const { promptId } = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "1", "chat:9");
    const unknown = { shortId: "00", value: "1" };
    expect(await rig.core.handlers["prompt.answer"](unknown, { sessionId: null })).toMatchObject({
      rejection: { code: "unknown_prompt", text: REFUSAL_TEXT.unknown_prompt },
    });
    expect(rig.chat.lastAnswer).toBe(REFUSAL_TEXT.not_allowed);
    expect(listRows(rig, "answer_rejected")).toEqual([
      { code: "not_allowed", promptId, identity: "chat:9" },
      { code: "unknown_prompt", promptId: null, identity: "cli:local" },
    ]);
  });

  it.each([
    ["screen_moved", false],
    ["session_gone", false],
    ["typing", true],
    ["field_not_empty", true],
    ["no_plan", true],
    ["write_failed", true],
    ["composer_command", true],
  ] as const)("%s, found by the worker: stands on the card and on record", async (code, stillAsked) => {
    const rig = await makeRig();
    const { promptId } = await rig.raise();
    const card = rig.chat.cards()[0]!;
    await rig.chat.tap(card, "3");
    const { replyId } = rig.link.replies[0]!;
    const refusal = { promptId, replyId, rejection: { ...createRefusal(code) }, stillAsked };
    await rig.core.handlers["reply.refuse"](refusal, caller);
    await turns();
    expect(card.outcome?.text).toContain(REFUSAL_TEXT[code]);
    expect(listRows(rig, "reply_refused")).toEqual([{ code, promptId, identity: "chat:1" }]);
    expect(rig.store.prompts.find(promptId)?.state).toBe(stillAsked ? "pending" : "withdrawn");
  });
});
