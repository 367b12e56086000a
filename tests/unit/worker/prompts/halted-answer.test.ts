/** An answer that is halted before it is sent does not reach the tool, and its question is raised again. */
import { expect, it } from "vitest";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { createAskHumanRequest } from "../../../../src/worker/integrations/mcp/ask-human.js";
import { granted, replyTo } from "../../../support/acp-agent.js";
import { makePendingRequests } from "../../../support/pending-requests.js";

it("reports that it failed, and takes an answer to the question that is raised again", async () => {
  const raised: PromptEvent[] = [];
  const pendingRequests = makePendingRequests({ onRaised: (event) => raised.push(event) });
  const asking = createAskHumanRequest({ question: "Which colour?", choices: ["red", "blue"] });
  const asked = pendingRequests.open(asking, new AbortController().signal);
  const halt = new AbortController();
  const gate = (): Promise<void> => {
    halt.abort();
    return Promise.resolve();
  };
  expect(await pendingRequests.answer(replyTo(raised[0]!, "1"), gate, halt.signal)).toMatchObject({
    receipt: { outcome: "failed", bytesWritten: 0, proof: null },
  });
  expect(raised).toHaveLength(2);
  expect(raised[1]?.promptId).not.toBe(raised[0]?.promptId);
  await pendingRequests.answer(replyTo(raised[1]!, "2"), granted);
  expect(await asked).toMatchObject({ answer: "blue" });
});
