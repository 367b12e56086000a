/** "no, do this instead" is no choice of a permission. One tap denies with these words, and the real claude hears them. */
import { expect, describe, it } from "vitest";
import { installClaude } from "../support/real-cli/claude.js";
import { ClaudeSession } from "../support/rig/claude-session.js";
import { withRig } from "../support/rig/rig.js";

const WORDS = "no, push to a feature branch instead";
const claude = await installClaude();

describe.skipIf(!claude.ok)("a no with its reason, to the real claude", { timeout: 240_000 }, () => {
  it.each([
    ["with hooks", []],
    ["read from the screen", ["--no-hooks"]],
  ])("%s", (_, flags) =>
    withRig(async (rig) => {
      const modules = claude.ok ? claude.modules : "";
      const session = await ClaudeSession.start(rig, { modules, label: "api", flags });
      try {
        await session.play("bash");
        const card = await session.run.card();
        card.reply(WORDS);
        const find = () =>
          rig.telegram
            .posts(rig.phone.user.id)
            .find(({ text }) => text.startsWith("Nothing was answered yet"));
        const offer = await rig.telegram.waitFor(find, "the button");
        // The service's buttons are short.
        expect(offer.buttons.flat()[0]?.text).toContain(": “No”, and say “no, push to a");
        rig.phone.user.press(offer.id, 0, rig.phone.user.id);
        expect(await card.settled()).toMatch(/^✅ No/);
        await session.talkOn();
        expect(session.timesRun).toBe(0);
        expect(session.results.map(({ text }) => text).join("\n")).toContain(WORDS);
      } finally {
        await session.close();
      }
    }),
  );
});
