/**
 * An agent that goes on without an answer is said to have done so, not to have taken its request back. A question whose call the agent
 * reports as over without an answer is not called cancelled.
 */
import { describe, expect, it, vi } from "vitest";
import { describeWithdrawal } from "../../../../../src/hub/delivery/notices/outcome-text.js";
import { asId } from "../../../../../src/model/ids.js";
import type { Json } from "../../../../../src/model/data/json.js";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { systemClock } from "../../../../../src/observe/clock.js";
import { systemRandom } from "../../../../../src/observe/random.js";
import type { WithdrawReason } from "../../../../../src/sdk/adapter.js";
import {
  requestHandlers,
  withdrawReasonFor,
} from "../../../../../src/worker/integrations/acp/agent-requests.js";
import { PERMISSION_METHOD } from "../../../../../src/worker/integrations/acp/permission/permission.js";
import { PendingRequests } from "../../../../../src/worker/prompts/pending-requests.js";
import { questionStamper } from "../../../../../src/worker/prompts/stamp-question.js";
import { toolCallFrom } from "../../../../../src/worker/runtimes/protocol/tool-call.js";
import { Transcript } from "../../../../../src/worker/runtimes/protocol/transcript.js";

const CALL: Json = { toolCallId: "c1", title: "rm -rf build", kind: "execute", status: "pending" };
const PARAMS: Json = {
  sessionId: "s1",
  toolCall: CALL,
  options: [
    { optionId: "a", name: "Allow", kind: "allow_once" },
    { optionId: "r", name: "Reject", kind: "reject_once" },
  ],
};

/** What the terminal says where the agent asks for leave, reports `status` of its call, and ends the turn. */
async function lineAfter(status: string): Promise<string> {
  const onWithdrawn = vi.fn<(event: PromptEvent, reason: WithdrawReason) => void>();
  let call = toolCallFrom(CALL, undefined) ?? undefined;
  const pendingRequests = new PendingRequests({
    stamp: questionStamper({
      sessionId: asId("22222222-2222-4222-8222-222222222222"),
      random: systemRandom,
      clock: systemClock,
      redact: (text) => text,
    }),
    onRaised: () => undefined,
    onWithdrawn,
    onAnswered: () => undefined,
    onRefused: () => undefined,
    isAttended: true,
    withdrawReasonFor,
    confirmDelivery: () => Promise.resolve("heard"),
  });
  const handlers = requestHandlers({
    autoDecide: () => Promise.resolve(null),
    cwd: "/w",
    pendingRequests,
    requests: {},
    call: () => call,
    services: {},
  });
  void handlers[PERMISSION_METHOD]?.(PARAMS, new AbortController().signal);
  await Promise.resolve();
  call = toolCallFrom({ toolCallId: "c1", status }, call) ?? undefined;
  pendingRequests.withdrawAll("taken_back");
  const [told] = onWithdrawn.mock.calls;
  const transcript = new Transcript({ colours: false, write: () => undefined });
  return told ? transcript.unanswered(...told) : "";
}

describe("a question whose call is over before anybody answered", () => {
  it.each(["completed", "failed"])("is not called cancelled: %s", async (status) => {
    expect(await lineAfter(status)).toBe("→ the agent continued without an answer: rm -rf build\n");
    expect(describeWithdrawal("went_on")).toBe(
      "⚠️ The tool continued without an answer: it reports that the step it asked about is finished",
    );
  });

  it("is cancelled where the call still waited", async () => {
    expect(await lineAfter("pending")).toBe("→ cancelled: rm -rf build\n");
  });
});
