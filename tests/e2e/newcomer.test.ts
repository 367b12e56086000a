/** From a built clone and an empty home to the first answered prompt, a newcomer types at most four lines and reads at most three messages. */
import { expect, it } from "vitest";
import { meetNewcomer } from "../support/rig/newcomer.js";

const TYPED_MAX = 4;
const MESSAGES_MAX = 3;

it("answers the first prompt after four lines at the terminal and three messages on the phone, and reads what to do next", async () => {
  const { typed, before, card, screen, exitCode } = await meetNewcomer();
  expect(typed.length).toBeLessThanOrEqual(TYPED_MAX);
  expect(before.length).toBeLessThanOrEqual(MESSAGES_MAX);
  expect(before.join("\n")).toContain("Hello Ann");
  expect(card).toContain("✅ Yes, by Ann, confirmed");
  expect(exitCode).toBe(0);
  expect(screen).toContain("Done: Ann may answer over telegram.");
  expect(screen).toMatch(/Next: .*\n\n {2}.* run --ask/);
});
