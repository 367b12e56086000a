/** A request whose call ends before anybody has answered is reported as cancelled only where the call still waited. */
import { describe, expect, it, vi } from "vitest";
import { describeWithdrawal } from "../../../../../src/hub/delivery/notices/outcome-text.js";
import { asId } from "../../../../../src/model/ids.js";
import type { Json } from "../../../../../src/model/data/json.js";
import type { Reply } from "../../../../../src/model/answer/reply.js";
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
import { mergeToolCall } from "../../../../../src/worker/runtimes/protocol/tool-call.js";
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

const REPLY: Reply = {
  replyId: asId("33333333-3333-4333-8333-333333333333"),
  promptId: asId("44444444-4444-4444-8444-444444444444"),
  sessionId: asId("22222222-2222-4222-8222-222222222222"),
  value: "1",
  nonce: asId("n"),
  channelIdentity: asId("chat:1"),
  newlinePolicy: "none",
  timestamp: "2026-01-01T00:00:00.000Z",
};

/** An agent whose call has `before`, asks for leave, and then reports `status` of it. */
async function askedThen(status: string, before = "pending") {
  const onWithdrawn = vi.fn<(event: PromptEvent, reason: WithdrawReason) => void>();
  const onRaised = vi.fn<(event: PromptEvent) => void>();
  let call = mergeToolCall({ ...CALL, status: before }, undefined) ?? undefined;
  const pendingRequests = new PendingRequests({
    stamp: questionStamper({
      sessionId: asId("22222222-2222-4222-8222-222222222222"),
      random: systemRandom,
      clock: systemClock,
      redact: (text) => text,
    }),
    onRaised,
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
  const given = handlers[PERMISSION_METHOD]?.(PARAMS, new AbortController().signal);
  await Promise.resolve();
  call = mergeToolCall({ toolCallId: "c1", status }, call) ?? undefined;
  const [raised] = onRaised.mock.calls;
  if (!raised) throw new Error("nothing was asked");
  return { pendingRequests, onWithdrawn, given, event: raised[0] };
}

/** What the terminal says where the turn ends then. */
async function lineAfter(status: string): Promise<string> {
  const { pendingRequests, onWithdrawn } = await askedThen(status);
  pendingRequests.withdrawAll("taken_back");
  const [told] = onWithdrawn.mock.calls;
  const transcript = new Transcript({ colours: false, write: () => undefined });
  return told ? transcript.formatUnanswered(...told) : "";
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

  it("takes no answer any more, and nothing is called confirmed", async () => {
    const { pendingRequests, onWithdrawn, given, event } = await askedThen("completed");
    const gate = vi.fn(() => Promise.resolve());
    const reply = { ...REPLY, promptId: event.promptId };
    expect(await pendingRequests.answer(reply, gate)).toMatchObject({ kind: "refused", stillAsked: false });
    expect(gate).not.toHaveBeenCalled();
    expect(onWithdrawn).toHaveBeenCalledExactlyOnceWith(event, "went_on");
    expect(await given).toMatchObject({ outcome: { outcome: "cancelled" } });
  });

  it("takes one where the call had failed before it was asked about", async () => {
    const { pendingRequests, event } = await askedThen("failed", "failed");
    const reply = { ...REPLY, promptId: event.promptId };
    expect(await pendingRequests.answer(reply, () => Promise.resolve())).toMatchObject({
      kind: "receipt",
      receipt: { outcome: "answered" },
    });
  });
});
