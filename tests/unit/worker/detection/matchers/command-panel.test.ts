/** A question in the panel of a tool's own command is raised while the tool says that it waits, and takes no answer from a card. */
import { describe, expect, it } from "vitest";
import { parseLegalValue } from "../../../../../src/model/answer/reply.js";
import { drawBytes } from "../screens.js";
import { Session } from "../session.js";

const side = (text: string): string => `│ ${text.padEnd(70)} │`;
const rows = (state: string): readonly string[] => [
  "✦ I overwrite it.",
  "",
  `╭${"─".repeat(72)}╮`,
  side(`⊶  Shell read -p 'Overwrite notes.txt? [y/N] ' answer${state === AWAITING ? " (Tab to focus)" : ""}`),
  side(""),
  side("Overwrite notes.txt? [y/N]"),
  `╰${"─".repeat(72)}╯`,
  "",
  ` ${state}`,
  "─".repeat(80),
  " >   Type your message or @path/to/file",
];
const AWAITING = "! Shell awaiting input (Tab to focus)";

async function raisedOn(state: string, readsInside?: boolean): Promise<Session> {
  const session = new Session("gemini");
  session.signals = readsInside === undefined ? {} : { readsInside };
  (await session.draw(drawBytes(rows(state), { cursorHidden: true }))).wait(4000);
  return session;
}

describe("a question in the panel of a command", () => {
  it("is raised where the command is known to read its own terminal", async () => {
    const session = await raisedOn(AWAITING, true);
    expect(session.prompts).toEqual(["raise unknown"]);
    const { candidate } = session.detector.pending!;
    expect(candidate.content.text).toContain("Overwrite notes.txt? [y/N]");
    expect(candidate.constraints).toEqual({ localOnly: true });
  });

  it("takes no answer from a card, as keys would go into the tool's input box", async () => {
    const { candidate } = (await raisedOn(AWAITING, true)).detector.pending!;
    for (const value of ["enter", "esc", "text:y", "y"])
      expect(parseLegalValue(candidate, value)).toMatchObject({
        ok: false,
        rejection: { code: "at_terminal" },
      });
  });

  it("is not raised while the command works, while that is unknown, or before the tool says that it waits", async () => {
    expect((await raisedOn(AWAITING, false)).prompts).toEqual([]);
    expect((await raisedOn(AWAITING)).prompts).toEqual([]);
    expect((await raisedOn("⠋ Thinking... (esc to cancel, 9s)", true)).prompts).toEqual([]);
  });
});
