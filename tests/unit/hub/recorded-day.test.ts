/** On the day that a newcomer recorded, no message rings beside its reader, and few ask nothing of them. */
import { expect, it } from "vitest";
import { RecordedDay } from "./recorded-day.js";

it("rings for each prompt and turn away from the keyboard, and for nothing else", async () => {
  const day = await RecordedDay.open();
  await day.run();
  const { askNothing, messages, rangAtKeyboard, rings, ...rest } = day.count();
  expect(rest).toEqual({
    ...{ prompts: 48, promptsAtKeyboard: 13, turnsAtKeyboard: 12, tasks: 14, ends: 2 },
    cards: 35,
    // Fourteen turns by phone, and seven that were read for longer than half a minute, or left.
    idle: 21,
  });
  expect(rangAtKeyboard).toBe(0);
  // Of the seven, three come while the reader still looks at that terminal, three while they look at the other one, one when they have left.
  expect({ messages, rings, askNothing }).toEqual({ messages: 56, rings: 56, askNothing: 3 });
});
