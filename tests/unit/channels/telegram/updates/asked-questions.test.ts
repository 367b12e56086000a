/** The message that opens a person's keyboard for an answer in words goes when the prompt is over. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { HubBench } from "../../slack/hub-bench.js";

const FREE: Partial<PromptEvent> = { promptType: "free_text", choices: [], defaultChoice: null };

let bench: HubBench;
beforeEach(async () => {
  bench = await HubBench.open();
});
afterEach(() => bench.close());

const findAsking = () =>
  bench.telegram
    .posts(bench.chat)
    .find(({ text }) => text.includes("reply to this message with your answer"));

/** Raises a prompt, and taps "Answer…" so often. Returns the message that asks for the words. */
async function tapAnswer(times = 1) {
  const { event } = await bench.ask(FREE);
  await bench.until(() => bench.phoneCards.length > 0, "the card");
  const card = bench.phoneCards.at(-1)!;
  for (let n = 0; n < times; n += 1) await bench.phone.press(card.id, 0).answered();
  await bench.until(() => findAsking() !== undefined, "the message that asks");
  return { event, card, asking: findAsking()! };
}

const withdraw = ({ promptId, sessionId }: PromptEvent) =>
  bench.core.handlers["prompt.withdraw"]({ promptId, reason: "left_screen" }, { sessionId });

const countAsking = () => bench.telegram.posts(bench.chat).filter(({ locked }) => locked).length;

describe("the message that asks for an answer in words", () => {
  it("goes when the reply to it has answered", async () => {
    const { event, asking } = await tapAnswer();
    bench.phone.send("v0.2 alpha", { replyTo: asking.id });
    await bench.carryOut(event);
    expect(bench.link.replies).toMatchObject([{ value: "v0.2 alpha" }]);
    await bench.until(() => countAsking() === 0, "it to go");
  });

  it("goes, however often it was asked for, and later where the service was away just then", async () => {
    const { event } = await tapAnswer(2);
    await bench.until(() => countAsking() === 2, "both");
    bench.telegram.failNext("deleteMessage", "drop");
    await withdraw(event);
    await bench.until(() => countAsking() === 0, "them to go");
  });

  it("holds nothing up if the service keeps it", async () => {
    const { event, asking } = await tapAnswer();
    const description = "Bad Request: message can't be deleted";
    bench.telegram.failNext("deleteMessage", { status: 400, description });
    await withdraw(event);
    const wasTried = () => bench.telegram.requests.some(({ method }) => method === "deleteMessage");
    await bench.until(wasTried, "the attempt");
    await bench.ask(FREE);
    await bench.until(() => bench.phoneCards.length === 1, "the next card");
    expect(findAsking()?.id).toBe(asking.id);
  });
});
