/** How many messages an hour with the real claude costs: none at the keyboard, and by phone the card and the end of each task. */
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { installClaude } from "../support/real-cli/claude.js";
import { ClaudeSession, INPUT_BOX } from "../support/rig/claude-session.js";
import type { Message } from "../support/telegram/emulator.js";
import { withRig, type Rig } from "../support/rig/rig.js";

const installed = await installClaude();
const modules = installed.ok ? installed.modules : "";
const DIALOG = /Do you want to proceed\?\s+❯ 1\. Yes[\s\S]+Esc to cancel/;

const listPosts = ({ telegram, phone }: Rig): readonly Message[] => telegram.posts(phone.user.id);

describe.skipIf(!installed.ok)("the real claude", () => {
  it("costs no message for ten prompts at the keyboard, and for a task by phone its card and its end", () =>
    withRig(
      async (rig) => {
        const session = await ClaudeSession.start(rig, { modules, label: "api" });
        try {
          for (let turn = 1; turn <= 10; turn += 1) {
            await session.play("bash");
            await session.terminal.waitFor(DIALOG);
            await session.terminal.settled();
            session.terminal.press("1");
            await eventually(() => session.timesRun === turn);
            await session.terminal.waitFor(INPUT_BOX);
          }
          expect(listPosts(rig)).toEqual([]);
          // Leaves the desk: the end of the last turn asks for the next task.
          await rig.phone.notice(/^💤 api /);
          const scenarios = ["bash", "plain", "bash"];
          for (const [task, scenario] of scenarios.entries()) {
            rig.phone.user.send(`task api please run [[${scenario}]]`);
            if (scenario === "bash") {
              const find = () => session.run.cards.find(({ buttons }) => buttons.length > 0);
              const card = await eventually(() => find() ?? null);
              await card.press(1);
              await card.settled();
            }
            await eventually(() => rig.phone.notices.length === 2 + task);
          }
          const posts = listPosts(rig);
          expect(posts.map(({ text }) => text.slice(0, 2).trim())).toEqual([
            "💤",
            "✅",
            "💤",
            "💤",
            "✅",
            "💤",
          ]);
          const sent = rig.telegram
            .messages(rig.phone.user.id)
            .filter(({ text }) => text.startsWith("task "));
          expect(sent.map(({ reaction }) => reaction)).toEqual(["👌", "👌", "👌"]);
        } finally {
          await session.close();
        }
      },
      { prompts: { deliver_after: "30s" } },
    ));
});
