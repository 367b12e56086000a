/** What the service does to a text before it keeps it: markup, forbidden characters, blanks at the ends, length. */
import { parseHtml, type Entity } from "./html.js";
import { withLinks } from "./links.js";
import { badRequest } from "./refusal.js";

export const TEXT_MAX = 4096;

export interface FormattedText {
  readonly text: string;
  readonly entities: readonly Entity[];
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
/** Control characters become one blank each; line feeds stay and carriage returns go. */
const CONTROL = /[\u0000-\u0009\u000b\u000c\u000e-\u001f]/g;
/** Separators, bidirectional marks and combining vertical lines are dropped. */
const DROPPED = /[\r\u2028-\u202e\u0333\u033f\u030a]/g;

/** The text as it is kept and shown. Refuses what the service refuses. */
export function formatText(
  raw: string,
  parseMode: string | undefined,
  given: readonly Entity[] = [],
): FormattedText {
  if (LONE_SURROGATE.test(raw)) throw badRequest("strings must be encoded in UTF-8");
  const clean = raw.replace(CONTROL, " ").replace(DROPPED, "");
  const parsed = given.length > 0 ? { text: clean, entities: given } : parse(clean, parseMode);
  const trimmed = trim(parsed);
  if (trimmed.text === "") throw badRequest("message text is empty");
  if (trimmed.text.length > TEXT_MAX) throw badRequest("message is too long");
  return { text: trimmed.text, entities: withLinks(trimmed.text, trimmed.entities) };
}

function parse(text: string, parseMode: string | undefined): FormattedText {
  if (parseMode === undefined || parseMode === "") return { text, entities: [] };
  if (parseMode.toLowerCase() === "html") return parseHtml(text);
  throw badRequest("unsupported parse_mode");
}

function trim({ text, entities }: FormattedText): FormattedText {
  const start = text.length - text.trimStart().length;
  const kept = text.trim();
  const moved = entities.map((entity) => {
    const from = Math.max(0, entity.offset - start);
    const to = Math.min(kept.length, entity.offset + entity.length - start);
    return { ...entity, offset: from, length: to - from };
  });
  return { text: kept, entities: moved.filter((entity) => entity.length > 0) };
}
