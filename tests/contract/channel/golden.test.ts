/** Every kind of notice goes over the wire as the golden files say: the exact HTML of Telegram and the exact blocks of Slack. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderCard as slackCard, type SlackCard as SlackCard } from "../../../channels/slack/cards/card.js";
import { renderText as slackText } from "../../../channels/slack/cards/text-notice.js";
import { renderCard } from "../../../channels/telegram/cards/card.js";
import { buildKeyboard, buildLastKeyboard } from "../../../channels/telegram/cards/keyboard.js";
import { toHtml } from "../../../channels/telegram/cards/markup.js";
import { renderEnd, renderText } from "../../../channels/telegram/cards/text-notice.js";
import { checkMessageBlocks } from "../../support/slack/blocks.js";
import type { Json } from "../../support/slack/json.js";
import { formatText } from "../../support/telegram/text.js";
import { KINDS, type Kind } from "./kinds.js";
import { SENT_AT } from "../../../src/compat/testing/notices.js";

const FOLDER = "tests/fixtures/golden/kinds";
/** As they are before any of these tests writes one. */
const GOLDEN = new Set(readdirSync(FOLDER));
const names = KINDS.flatMap(([name]) => [`${name}.telegram`, `${name}.slack.json`]);

const makeMoment = ({ outcome }: Kind) => (outcome ? { now: SENT_AT, outcome } : { now: SENT_AT });

/** The words, and a line for each row of buttons. */
function renderTelegram(kind: Kind): { readonly html: string; readonly rows: readonly string[] } {
  const { notice, outcome } = kind;
  if (notice.kind === "text") {
    const last = buildLastKeyboard((outcome ?? notice).buttons ?? [])?.inline_keyboard ?? [];
    return {
      html: toHtml(outcome ? renderEnd(notice, outcome) : renderText(notice).spans),
      rows: last.map((row) => JSON.stringify(row)),
    };
  }
  const buttons = outcome?.buttons ?? notice.buttons;
  const keyboard = outcome?.final ? buildLastKeyboard(outcome.buttons ?? []) : buildKeyboard(notice, buttons);
  const rows = keyboard?.inline_keyboard ?? [];
  return {
    html: toHtml(renderCard(notice, makeMoment(kind)).spans),
    rows: rows.map((row) => JSON.stringify(row)),
  };
}

function renderSlack(kind: Kind): Pick<SlackCard, "text" | "blocks"> {
  const { notice, outcome } = kind;
  const { text, blocks } =
    notice.kind === "prompt" ? slackCard(notice, makeMoment(kind)) : slackText(notice, outcome);
  return { text, blocks };
}

const nameFile = (name: string): string => `../../fixtures/golden/kinds/${name}`;

describe("every kind of notice to a channel", () => {
  it("has its golden files, and no golden file is left of one that is gone", () => {
    expect([...GOLDEN].sort()).toEqual([...names].sort());
  });

  it.each(KINDS)("looks in Telegram as it should: %s", async (name, kind) => {
    const { html, rows } = renderTelegram(kind);
    expect(formatText(html, "HTML").text).not.toBe("");
    await expect(`${[html, ...rows].join("\n")}\n`).toMatchFileSnapshot(nameFile(`${name}.telegram`));
  });

  it.each(KINDS)("looks in Slack as it should: %s", async (name, kind) => {
    const { text, blocks } = renderSlack(kind);
    checkMessageBlocks(JSON.parse(JSON.stringify(blocks)) as Json[]);
    await expect(`${JSON.stringify({ text, blocks }, null, 2)}\n`).toMatchFileSnapshot(
      nameFile(`${name}.slack.json`),
    );
  });
});
