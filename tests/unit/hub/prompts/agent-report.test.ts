/** People read nothing of what an agent's own process says of the end of its prompt: no words of it, and no terminal. */
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { WITHDRAW_REASONS, type WithdrawReason } from "../../../../src/sdk/adapter.js";
import { turns } from "../fake-channel.js";
import { makeRig, SESSION, type Rig } from "../rig.js";

const LIE = "typed into prod, exit code 0";
const CALLER = { sessionId: SESSION };

async function answered(): Promise<{ readonly rig: Rig; readonly event: PromptEvent; replyId: string }> {
  const rig = await makeRig({ underTool: true });
  const event = await rig.raise();
  await rig.chat.tap(rig.chat.cards()[0]!, "1");
  return { rig, event, replyId: rig.store.prompts.find(event.promptId)?.replyId ?? "" };
}

/** What the card and the listings say. */
async function read(rig: Rig, { promptId }: PromptEvent): Promise<string> {
  rig.clock.advance(10_000);
  await turns();
  return JSON.stringify([rig.store.prompts.find(promptId)?.outcome, rig.chat.messages]);
}

describe("the process of an agent that ends its own prompt", () => {
  it.each(["answered_locally", "answered_elsewhere", "ended_by_command", "left_screen"] as const)(
    "is not believed that it ended otherwise than taken back: %s",
    async (reason) => {
      const rig = await makeRig({ underTool: true });
      const event = await rig.raise();
      await rig.core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason }, CALLER);
      expect(rig.store.prompts.find(event.promptId)?.outcome).toMatch(/^↩️ Withdrawn by the tool/);
      const row = [...rig.store.audit.readAfter(0)].find(({ step }) => step === "prompt_withdrawn");
      expect(JSON.parse(row?.details ?? "")).toEqual({ reason: "taken_back", reported: reason });
    },
  );

  it("may say of no reason that a person at a terminal gave the answer", async () => {
    for (const reason of WITHDRAW_REASONS) {
      const rig = await makeRig({ underTool: true });
      const event = await rig.raise();
      await rig.core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason }, CALLER);
      expect(rig.store.prompts.find(event.promptId)?.outcome).not.toMatch(/terminal|another program|screen/);
    }
  });

  it("words no refusal of an answer", async () => {
    const { rig, event, replyId } = await answered();
    const rejection = { code: "screen_moved", text: LIE };
    await rig.core.handlers["reply.refuse"](
      { promptId: event.promptId, replyId, rejection, stillAsked: false },
      CALLER,
    );
    expect(await read(rig, event)).not.toContain(LIE);
  });

  it.each(["failed", "uncertain", "answered"] as const)(
    "words no receipt of an answer: %s",
    async (outcome) => {
      const { rig, event } = await answered();
      await rig.begin(event);
      const stop = { stopped: true, evidence: LIE };
      await rig.end(event, { outcome, proof: null, evidence: LIE, stop, change: LIE });
      expect(await read(rig, event)).not.toContain(LIE);
    },
  );
});

it("an agent's own tool that is called as ours is not said to have typed nothing so far", async () => {
  const rig = await makeRig({ underTool: true });
  const call = { tool: "run_command", input: { command: "make" } };
  const event = await rig.raise({ content: { text: "make", cut: null, call } });
  await rig.chat.tap(rig.chat.cards()[0]!, "1");
  await rig.begin(event);
  await rig.end(event);
  expect(rig.store.prompts.find(event.promptId)?.outcome).toMatch(/: delivered to the agent's client\./);
});

it("a session whose terminal AtlasBridge sees is believed", async () => {
  const rig = await makeRig();
  const event = await rig.raise();
  const reason: WithdrawReason = "answered_locally";
  await rig.core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason }, CALLER);
  expect(rig.store.prompts.find(event.promptId)?.outcome).toBe("⌨️ Answered at the terminal");
});
