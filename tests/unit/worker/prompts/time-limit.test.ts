/** A prompt with a time limit is refused once its time is over, except while an answer is on its way. Without a limit it waits. */
import { makePendingRequests } from "../../../support/pending-requests.js";
import { expect, it } from "vitest";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { createAskHumanRequest } from "../../../../src/worker/integrations/mcp/ask-human.js";
import { granted, replyTo } from "../../../support/acp-agent.js";

const LIMIT_MS = 5_000;
const sessionId = asId<SessionId>("5f0c6a4e-8a54-4f0a-9b43-0b7e5c1d2e3f");
const asking = createAskHumanRequest({ question: "Which colour?", choices: ["red", "blue"] });

function deskWith(ms: number) {
  const clock = new ManualClock();
  const raised: PromptEvent[] = [];
  const told: string[] = [];
  const pendingRequests = makePendingRequests(
    {
      onRaised: (event) => raised.push(event),
      onWithdrawn: (_, reason) => told.push(reason),
      onAnswered: () => told.push("answered"),
      onRefused: (_, why) => told.push(`refused ${why}`),
      limit: { clock, ms },
    },
    sessionId,
    clock,
  );
  const asked = pendingRequests.open(asking, new AbortController().signal);
  const [event] = raised;
  if (!event) throw new Error("nothing was asked");
  return { clock, pendingRequests, asked, event, raised, told };
}

it("a prompt is refused once its time is over, and its card shows that time", async () => {
  const { clock, asked, event, told, pendingRequests } = deskWith(LIMIT_MS);
  expect(event.constraints).toMatchObject({ answerBy: clock.now() + LIMIT_MS, refusedLate: true });
  clock.advance(LIMIT_MS - 1);
  expect(told).toEqual([]);
  clock.advance(1);
  expect(await asked).toBe(asking.refused);
  expect(told).toEqual(["refused timed_out", "refused_late"]);
  expect(await pendingRequests.answer(replyTo(event, "1"), granted)).toMatchObject({ kind: "refused" });
});

it("an answer that is under way when the time is over still goes in", async () => {
  const { clock, pendingRequests, asked, event, told } = deskWith(LIMIT_MS);
  const put = pendingRequests.answer(replyTo(event, "2"), () => {
    clock.advance(LIMIT_MS);
    return Promise.resolve();
  });
  expect(await put).toMatchObject({ receipt: { outcome: "answered" } });
  expect(await asked).toMatchObject({ answer: "blue" });
  expect(told).toEqual(["answered"]);
});

it("an answer that was under way then and fails leaves a refusal, and nothing is raised anew", async () => {
  const { clock, pendingRequests, asked, event, raised, told } = deskWith(LIMIT_MS);
  const put = pendingRequests.answer(replyTo(event, "1"), () => {
    clock.advance(LIMIT_MS);
    return Promise.reject(new Error("not recorded"));
  });
  expect(await put).toMatchObject({ kind: "refused" });
  expect(await asked).toBe(asking.refused);
  expect(raised).toHaveLength(1);
  expect(told).toEqual(["refused timed_out", "refused_late"]);
});

it("a prompt that nobody can answer any more is refused, and no one says that its tool withdrew it", async () => {
  const { pendingRequests, asked, told } = deskWith(0);
  pendingRequests.attend(false);
  expect(await asked).toBe(asking.refused);
  expect(told).toEqual(["refused unattended", "unattended"]);
});

it("a prompt without a limit waits", () => {
  const { clock, event, told } = deskWith(0);
  clock.advance(1_000_000);
  expect(event.constraints.answerBy).toBeUndefined();
  expect(event.constraints.refusedLate).toBeUndefined();
  expect(told).toEqual([]);
});
