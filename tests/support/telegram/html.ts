/** The service's HTML: a handful of tags, four named entities, and refusals with byte offsets. */
import { badRequest, type Refusal } from "./refusal.js";

export interface Entity {
  readonly type: string;
  /** UTF-16 units. */
  readonly offset: number;
  readonly length: number;
}

const TYPES: Readonly<Record<string, string>> = {
  a: "text_link",
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  u: "underline",
  ins: "underline",
  "tg-spoiler": "spoiler",
  "tg-emoji": "custom_emoji",
  span: "spoiler",
  pre: "pre",
  code: "code",
  blockquote: "blockquote",
};
const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
const CHARACTER = /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-zA-Z]{2,4}));?/y;
const ATTRIBUTES = /^(?:\s+[^\s=>/"']+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[a-zA-Z0-9.-]+))?)*\s*$/;

interface OpenTag {
  readonly name: string;
  readonly offset: number;
}

export function parseHtml(source: string): { text: string; entities: Entity[] } {
  const open: OpenTag[] = [];
  const entities: Entity[] = [];
  let text = "";
  for (let at = 0; at < source.length;) {
    const char = source.charAt(at);
    if (char === "&") {
      const decoded = decode(source, at);
      text += decoded.text;
      at = decoded.next;
    } else if (char === "<") {
      at = source.startsWith("</", at)
        ? closeTag(source, at, open, entities, text.length)
        : openTag(source, at, open, text.length);
    } else {
      text += char;
      at += 1;
    }
  }
  const left = open.at(-1);
  if (left) throw unparsable(`Can't find end tag corresponding to start tag "${left.name}"`);
  return { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) };
}

/** An ampersand that starts no known reference stands for itself. */
function decode(source: string, at: number): { text: string; next: number } {
  CHARACTER.lastIndex = at;
  const match = CHARACTER.exec(source);
  const code = match?.[1] ? parseInt(match[1], 16) : Number(match?.[2] ?? 0);
  const decoded = match?.[3] === undefined ? readCharacter(code) : NAMED[match[3]];
  if (!match || decoded === undefined) return { text: "&", next: at + 1 };
  return { text: decoded, next: at + match[0].length };
}

function readCharacter(code: number): string | undefined {
  return code > 0 && code < 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function openTag(source: string, at: number, open: OpenTag[], offset: number): number {
  const end = source.indexOf(">", at);
  const name = (/^<([^\s>]*)/.exec(source.slice(at))?.[1] ?? "").toLowerCase();
  const where = byteOffset(source, at);
  if (at + 1 + name.length >= source.length) throw unparsable(`Unclosed start tag at byte offset ${where}`);
  if (!Object.hasOwn(TYPES, name))
    throw unparsable(`Unsupported start tag "${name}" at byte offset ${where}`);
  if (end < 0) throw unparsable(`Unclosed start tag "${name}" at byte offset ${where}`);
  if (!ATTRIBUTES.test(source.slice(at + 1 + name.length, end)))
    throw unparsable(`Empty attribute name in the tag "${name}" at byte offset ${where}`);
  open.push({ name, offset });
  return end + 1;
}

function closeTag(source: string, at: number, open: OpenTag[], entities: Entity[], length: number): number {
  const tag = open.pop();
  const where = byteOffset(source, at);
  if (!tag) throw unparsable(`Unexpected end tag at byte offset ${where}`);
  const end = source.indexOf(">", at);
  if (end < 0) throw unparsable(`Unclosed end tag at byte offset ${where}`);
  const name = source
    .slice(at + 2, end)
    .trim()
    .toLowerCase();
  if (name !== "" && name !== tag.name)
    throw unparsable(
      `Unmatched end tag at byte offset ${where}, expected "</${tag.name}>", found "</${name}>"`,
    );
  if (length > tag.offset)
    entities.push({ type: TYPES[tag.name] ?? "", offset: tag.offset, length: length - tag.offset });
  return end + 1;
}

function byteOffset(source: string, at: number): number {
  return Buffer.byteLength(source.slice(0, at));
}

function unparsable(what: string): Refusal {
  return badRequest(`can't parse entities: ${what}`);
}
