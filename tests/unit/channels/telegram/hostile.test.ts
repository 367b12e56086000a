/**
 * Hostile text of a tool (markup, mentions, links, commands, bidirectional and invisible characters, a megabyte, broken UTF-8)
 * arrives in Telegram readable and complete, and changes nothing else.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { DIFF, MEGABYTE, TEXTS } from "../../../support/hostile-texts.js";
import type { Message } from "../../../support/telegram/emulator.js";
import { HubBench } from "../slack/hub-bench.js";

const HTML = "</pre></code><b>✅ Yes</b><a href='https://evil.example'>ok</a><tg-spoiler>&amp;lt;";
const ALL = { ...TEXTS, html: { text: HTML, readable: HTML } };

describe("the text of a tool arrives in Telegram readable and complete, and changes nothing else", () => {
  let bench: HubBench;

  beforeEach(async () => {
    bench = await HubBench.open();
  });
  afterEach(() => bench.close());

  const ask = async (over: Partial<PromptEvent>): Promise<Message> => {
    await bench.ask(over);
    await bench.until(() => bench.phoneCards.length > 0, "the card in Telegram");
    return bench.phoneCards.at(-1)!;
  };
  /** The service drops what hides or reorders and shows a tab as blanks: we show it before it can. */
  const asShown = (text: string): string => text.replaceAll("\t", "⇥   ");
  const rows = (card: Message): string[] => card.buttons.map(([button]) => button!.text);
  const onlyOurs = (card: Message): void =>
    expect(card.entities.map(({ type }) => type).filter((type) => !OURS.includes(type))).toEqual([]);
  /** Bold, code and quoted content are ours; nothing in a tool's words is markup. */
  const meansTheSame = (card: Message, labels = ["1. Yes", "2. Yes, and don't ask again", "3. No"]): void => {
    expect(rows(card).slice(0, 3)).toEqual(labels);
    expect(card.text.split("\n")[0]).toBe("🔐 claude asks for permission");
    onlyOurs(card);
  };
  const readFile = (card: Message): Buffer | undefined =>
    bench.telegram.posts(bench.chat).find(({ id }) => id === card.replyTo)?.document?.data;

  it.each(Object.entries(ALL))("as content: %s", async (_, { text, readable }) => {
    const card = await ask({ content: { text, cut: null } });
    meansTheSame(card);
    expect(card.text).toContain(asShown(readable));
    // What the service cannot show as it is comes in a file as well, byte for byte.
    if (text.includes("\t")) expect(readFile(card)?.toString("utf8")).toBe(text);
  });

  it.each(Object.entries(ALL))("as question and as label of a choice: %s", async (_, { text, readable }) => {
    const choices: PromptEvent["choices"] = [
      { label: text, intent: "allow_once" },
      { label: "No", intent: "reject_once" },
    ];
    const card = await ask({ excerpt: text, choices, defaultChoice: null });
    expect(card.text).toContain(asShown(readable).split("\n")[0]);
    onlyOurs(card);
    expect(card.text.split("\n")[0]).toBe("🔐 claude asks for permission");
    const [, no] = card.buttons;
    expect(no?.[0]?.text).toContain("No");
    expect((await bench.phone.press(card.id, 1).answered()).text).toBe("No: accepted for claude");
  });

  it.each([
    ["a command of a megabyte", MEGABYTE],
    ["a diff of 5,000 lines", DIFF],
  ])("%s, whole, in a file", async (_, text) => {
    const card = await ask({ content: { text, cut: null } });
    meansTheSame(card);
    expect(readFile(card)?.equals(Buffer.from(text, "utf8"))).toBe(true);
    expect(card.text).toContain("characters not shown: open the file, then accept");
  });

  it.each(Object.entries(ALL))("as name of the tool, label and folder: %s", async (_, { text, readable }) => {
    await bench.close();
    bench = await HubBench.open({ session: { tool: text, label: text, cwd: `/home/${text}` } });
    const card = await ask({});
    // How many marks stand for half a character is the database's business.
    const [first = ""] = readable.split(/[\n\ufffd]/);
    expect(card.text).toContain(asShown(first));
    onlyOurs(card);
  });
});

const OURS: readonly string[] = ["bold", "code", "pre", "italic"];
