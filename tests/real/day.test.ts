/**
 * Which of a day's calls the real tools ask about is what is kept: the measurement of presets reads it. `UPDATE_EXCHANGES=1` writes it
 * anew.
 */
import { expect, it, vi } from "vitest";
import { DAY_TOOLS, keptDay, recordDay } from "../support/policy/recorded-day.js";

vi.setConfig({ testTimeout: 300_000 });

it.each(DAY_TOOLS)("the real $name asks on a working day what is kept", async (tool) => {
  const day = await recordDay(tool);
  expect(day).toEqual(keptDay(tool.name, day));
});
