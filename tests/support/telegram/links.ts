/** What the service links by itself wherever no code stands: its own published rules, a little simpler. */
import type { Entity } from "./html.js";

const WORD = "\\p{L}\\p{N}_";
const FOUND: Readonly<Record<string, RegExp>> = {
  url: /\b(?:https?|ftp|tg|ton):\/\/\S+|\btg:\w+\S*|(?<![\w@])(?:[\p{L}\p{N}_-]+\.)+(?:com|net|org|io|dev|me|sh|py|rs|md|ai|app|example|рф)(?::\d+)?(?:\/\S*)?(?![\p{L}\p{N}_])/giu,
  email: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  mention: /(?<![\w@])@[a-zA-Z0-9_]{2,32}\b/g,
  bot_command: new RegExp(`(?<![${WORD}/<>])/[a-zA-Z0-9_]{1,64}(?:@\\w{3,32})?(?![\\w/<>])`, "gu"),
  hashtag: new RegExp(`(?<![${WORD}])#[\\p{N}_]*\\p{L}[${WORD}]*`, "gu"),
  cashtag: new RegExp(`(?<![$${WORD}])\\$(?:1INCH|[A-Z]{1,8})(?![$${WORD}])`, "gu"),
  phone_number: /\+\d[\d ()-]{6,}\d/g,
};
/** Inside of these nothing is looked for. */
const CLOSED: readonly string[] = ["code", "pre", "text_link", "text_mention"];

export const LINKS = Object.keys(FOUND);

export function withLinks(text: string, entities: readonly Entity[]): Entity[] {
  const closed = entities.filter(({ type }) => CLOSED.includes(type));
  const links = Object.entries(FOUND).flatMap(([type, pattern]) =>
    [...text.matchAll(pattern)]
      .map(({ index: offset, 0: { length } }) => ({ type, offset, length }))
      .filter((link) => !closed.some((entity) => overlap(entity, link))),
  );
  return [...entities, ...links].sort((a, b) => a.offset - b.offset || b.length - a.length);
}

function overlap(a: Entity, b: Entity): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}
