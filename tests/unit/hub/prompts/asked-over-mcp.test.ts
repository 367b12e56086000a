/** What an agent asks over MCP is to be seen in no terminal: nothing that people are told about it sends them there. */
import { describe, expect, it } from "vitest";
import { formatCutWarning } from "../../../../src/sdk/card-words.js";
import { LOST_AFTER_MS } from "../../../../src/hub/sessions/lost-sessions.js";
import { turns } from "../fake-channel.js";
import { makeRig, SESSION, SETTINGS, type Rig } from "../rig.js";
import { asking, card, raise } from "./approval/asking.js";

const HIDDEN = { text: "API_KEY=[37 hidden]", cut: null, hidden: { characters: 37, kinds: ["token"] } };

/** Everything that anybody was told or shown. */
function told({ chat }: Rig): string {
  const shown = chat.messages.map(({ notice, outcome }) => [
    notice.kind === "text" ? notice.text : [notice.policyNote, notice.content.cut],
    outcome?.text,
  ]);
  return JSON.stringify([shown, chat.answers.map(({ answer }) => answer.text)]);
}

const CASES: readonly (readonly [string, string, () => Promise<Rig>])[] = [
  [
    "an answer that is not proved",
    "not confirmed. Check with the agent that asked.",
    async () => {
      const rig = await makeRig({ underTool: true });
      const event = await rig.raise();
      await rig.chat.tap(card(rig), "1");
      await rig.begin(event);
      await rig.end(event, { outcome: "uncertain", proof: null });
      return rig;
    },
  ],
  [
    "a process that exited while it was asked",
    "it can no longer ask through that process",
    async () => {
      const rig = await makeRig({ underTool: true, processAlive: () => false });
      await rig.raise();
      rig.core.noteDisconnected(SESSION);
      rig.clock.advance(LOST_AFTER_MS);
      await turns();
      expect(card(rig).outcome?.text).toContain("Check with the agent that asked.");
      return rig;
    },
  ],
  [
    "a process that exited while an answer was given",
    "before the answer was confirmed. Check with the agent",
    async () => {
      const rig = await makeRig({ underTool: true, processAlive: () => false });
      const event = await rig.raise();
      await rig.chat.tap(card(rig), "1");
      await rig.begin(event);
      rig.core.noteDisconnected(SESSION);
      rig.clock.advance(LOST_AFTER_MS);
      await turns();
      return rig;
    },
  ],
  [
    "a process that is too old",
    "restart the agent",
    async () => {
      const rig = await makeRig({ underTool: true });
      await rig.raise();
      rig.core.noteWorkerTooOld(SESSION, "0.0.1");
      await turns();
      return rig;
    },
  ],
  [
    "content that is hidden",
    "atlasbridge prompts --reveal",
    async () => {
      const rig = await makeRig({ underTool: true });
      await rig.raise({ content: HIDDEN });
      await rig.chat.tap(card(rig), "1");
      return rig;
    },
  ],
  [
    "a prompt that is gone",
    "The prompt is gone: the agent no longer waits for an answer.",
    async () => {
      const rig = await makeRig({ underTool: true });
      const { promptId } = await rig.raise();
      const caller = { sessionId: SESSION };
      await rig.core.handlers["prompt.withdraw"]({ promptId, reason: "taken_back" }, caller);
      await turns();
      await rig.chat.tap(card(rig), "1");
      return rig;
    },
  ],
  [
    "a prompt that may still wait",
    "(expired) may still wait: check where it was asked.",
    async () => {
      const rig = await makeRig({ underTool: true });
      await rig.raise();
      rig.clock.advance(SETTINGS.prompts.expires_after);
      await rig.chat.text("prompts");
      return rig;
    },
  ],
  [
    "a session that is not connected",
    "claude: it is not connected; check with the agent that asked.",
    async () => {
      const rig = await makeRig({ underTool: true });
      rig.core.noteDisconnected(SESSION);
      await rig.chat.text("prompts");
      return rig;
    },
  ],
  [
    "a yes that needs a number",
    "needs the number at its machine (`atlasbridge prompts --number",
    async () => {
      const rig = await asking("number_match: true", { underTool: true });
      await raise(rig);
      await rig.chat.tap(card(rig), "1");
      const wrong = async (): Promise<void> => rig.chat.text("1 99", { ref: card(rig).ref });
      for (let tries = 0; tries < 4; tries++) await wrong();
      return rig;
    },
  ],
  [
    "a prompt that cannot be asked again now",
    "Check with the agent that asked, or try again later.",
    async () => {
      const rig = await makeRig({ underTool: true });
      await rig.raise();
      rig.clock.advance(SETTINGS.prompts.expires_after);
      await turns();
      rig.core.noteDisconnected(SESSION);
      await rig.chat.tap(card(rig), "ask_again");
      await turns();
      return rig;
    },
  ],
];

describe("what an agent asks over MCP", () => {
  it.each(CASES)("sends nobody to a terminal: %s", async (_, words, play) => {
    const rig = await play();
    expect(told(rig)).toContain(words);
    expect(told(rig)).not.toMatch(/terminal/);
  });

  it("sends nobody to a terminal where it is not shown whole", async () => {
    const rig = await makeRig({ underTool: true });
    await rig.raise();
    const { session } = card(rig).notice;
    expect(formatCutWarning({ missing: "12 lines" }, session)).toBe(
      "⚠️ The content is truncated (missing: 12 lines). Ask the agent for the rest before you allow anything.",
    );
  });

  it("is marked as such for programs", async () => {
    const rig = await makeRig({ underTool: true });
    await rig.raise();
    const sessions = await rig.core.handlers["sessions.list"]({ all: false }, { sessionId: null });
    expect(sessions).toMatchObject([{ underTool: true }]);
  });
});
