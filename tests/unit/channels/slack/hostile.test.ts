/** Hostile text of a tool arrives in Slack readable and complete, and changes nothing else. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import type { Message } from "../../../support/slack/emulator.js";
import { listButtons } from "../../../support/slack/payloads.js";
import { DIFF, MEGABYTE, TEXTS } from "../../../support/hostile-texts.js";
import { HubBench } from "./hub-bench.js";

describe("the text of a tool arrives in Slack readable and complete, and changes nothing else", () => {
  let bench: HubBench;

  beforeEach(async () => {
    bench = await HubBench.open();
  });
  afterEach(() => bench.close());

  /** Its buttons are the choices, it rings Ara alone, and it asks what it asks. */
  const meansTheSame = (
    card: Message,
    labels: readonly string[] = ["1. Yes", "2. Yes, and don't ask again", "3. No"],
  ): void => {
    expect(card.mentions).toEqual(["U0ARA"]);
    expect(listChoices(card).map(({ text }) => (text as { text: string }).text)).toEqual(labels);
    expect(bench.shown(card).split("\n")[0]).toBe("🔐 claude asks for permission");
  };

  it.each(Object.entries(TEXTS))("as content: %s", async (_, { text, readable }) => {
    const { card } = await bench.ask({ content: { text, cut: null } });
    meansTheSame(card);
    expect(bench.shown(card)).toContain(readable);
  });

  it.each(Object.entries(TEXTS))(
    "as question and as label of a choice: %s",
    async (_, { text, readable }) => {
      const choices: PromptEvent["choices"] = [
        { label: text, intent: "allow_once" },
        { label: "No", intent: "reject_once" },
      ];
      const { card } = await bench.ask({ excerpt: text, choices, defaultChoice: null });
      expect(card.mentions).toEqual(["U0ARA"]);
      expect(bench.shown(card)).toContain(readable.split("\n")[0]);
      expect(listChoices(card)).toHaveLength(2);
      expect(await bench.ara.press(card, 1).told()).toBe("No: accepted for claude");
    },
  );

  it.each([
    ["a command of a megabyte", MEGABYTE],
    ["a diff of 5,000 lines", DIFF],
  ])("%s, whole, in a file", async (_, text) => {
    const { card } = await bench.ask({ content: { text, cut: null } });
    meansTheSame(card);
    const file = await bench.slack.waitFor(() => bench.slack.files(bench.place).at(-1), "the file");
    expect(file.file!.data.toString("utf8")).toBe(text);
    expect(bench.shown(card)).toContain("characters not shown: open the file, then accept");
  });

  it.each(Object.entries(TEXTS))(
    "as name of the tool, label and folder: %s",
    async (_, { text, readable }) => {
      await bench.close();
      bench = await HubBench.open({ session: { tool: text, label: text, cwd: `/home/${text}` } });
      const { card } = await bench.ask();
      // How many marks stand for half a character is the database's business.
      const [first] = readable.split(/[\n\ufffd]/);
      expect(card.mentions).toEqual(["U0ARA"]);
      expect(bench.shown(card)).toContain(first);
      const root = bench.slack.posts(bench.place)[0]!;
      expect(root.mentions).toEqual([]);
      expect(bench.shown(root)).toContain(first);
    },
  );
});

/** The buttons that answer. */
function listChoices(card: Message) {
  return listButtons(card).filter(({ action_id: id }) => String(id).startsWith("choice:"));
}
