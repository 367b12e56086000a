/** What terminals and tools say to each other, by name: what passes through us has to pass as it is. */

const ESC = "\x1b";
const ST = `${ESC}\\`;
const BEL = "\x07";
const latin = (text: string) => Buffer.from(text, "latin1");
const utf8 = (text: string) => Buffer.from(text, "utf8");

/** Bytes without order, the same in every run. */
export function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const PICTURE = noise(30_000).toString("base64");

export const OUTPUT: Readonly<Record<string, Buffer>> = {
  "colours, of every kind": latin(
    `${ESC}[1;31mred${ESC}[38;5;208m256${ESC}[48;2;1;2;3mtrue${ESC}[38:2::10:20:30mcolons${ESC}[4:3m${ESC}[58;5;9mcurly${ESC}[0m`,
  ),
  "the alternate screen": latin(
    `${ESC}7${ESC}[?1049h${ESC}[2J${ESC}[Hfull${ESC}[?47h${ESC}[?47l${ESC}[?1049l${ESC}8`,
  ),
  "scroll regions, tabs and margins": latin(
    `${ESC}[3;10r${ESC}D${ESC}M${ESC}H\t${ESC}[3g${ESC}[?6h${ESC}[?69h${ESC}[1;5s${ESC}[r`,
  ),
  "mouse reporting": latin(
    [9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016]
      .map((mode) => `${ESC}[?${mode}h${ESC}[?${mode}l`)
      .join(""),
  ),
  "focus reporting and bracketed paste": latin(`${ESC}[?1004h${ESC}[?2004h${ESC}[?2004l${ESC}[?1004l`),
  "keyboard protocols": latin(
    `${ESC}[>1u${ESC}[=5;1u${ESC}[?u${ESC}[<u${ESC}[>4;2m${ESC}[>4;0m${ESC}[?1h${ESC}=${ESC}>${ESC}[?1l`,
  ),
  "synchronized updates": latin(
    `${ESC}[?2026h${ESC}[Hdrawn at once${ESC}[?2026l${ESC}P=1s${ST}${ESC}P=2s${ST}`,
  ),
  "a sixel picture": latin(`${ESC}Pq#0;2;0;0;0#1;2;100;100;0#1~~@@vv@@~~@@~~$#2??}}GG}}??}}??-#1!14@${ST}`),
  "a kitty picture": latin(
    `${ESC}_Ga=T,f=24,s=100,v=100,m=1;${PICTURE.slice(0, 4096)}${ST}${ESC}_Gm=0;${PICTURE.slice(4096, 8192)}${ST}`,
  ),
  "an iTerm picture": latin(`${ESC}]1337;File=name=cGljdHVyZQ==;inline=1:${PICTURE}${BEL}`),
  "window titles, links, folders, progress, notes": latin(
    [
      `0;both`,
      `1;icon`,
      `2;title ${"x".repeat(300)}`,
      `7;file://host/tmp`,
      `8;id=1;https://example.org/a;b`,
      `8;;`,
      `9;4;1;50`,
      `9;text`,
      `777;notify;a;b`,
    ]
      .flatMap((body) => [`${ESC}]${body}${BEL}`, `${ESC}]${body}${ST}`])
      .join(""),
  ),
  "title stack and window operations": latin(
    `${ESC}[22;0t${ESC}[23;0t${ESC}[8;24;80t${ESC}[14t${ESC}[16t${ESC}[18t`,
  ),
  "the clipboard, and marks of shells": latin(
    `${ESC}]52;c;${PICTURE.slice(0, 400)}${BEL}${ESC}]52;c;?${BEL}${ESC}]133;A${ST}${ESC}]133;D;0${ST}`,
  ),
  "questions to the terminal": latin(
    [
      `[c`,
      `[>c`,
      `[=c`,
      `[5n`,
      `[6n`,
      `[?6n`,
      `[>q`,
      `[?2026$p`,
      `[4$p`,
      `Z`,
      `[x`,
      `P+q544e${ST}`,
      `P$qm${ST}`,
    ]
      .map((body) => ESC + body)
      .join(""),
  ),
  "questions for colours": latin(
    [10, 11, 12, 17, 19].map((code) => `${ESC}]${code};?${BEL}`).join("") + `${ESC}]4;1;?${ST}`,
  ),
  "character sets and controls of eight bits": latin(
    `${ESC}(0lqk${ESC}(B\x0e\x0f${ESC}%G\x84\x85\x9b1m\x9d0;t\x9c`,
  ),
  "every byte": EVERY_BYTE,
  "UTF-8, whole and broken": Buffer.concat([
    utf8("é漢👩‍👩‍👧 🇫🇷 ﷽"),
    latin("\xf0\x9f\x98"),
    latin("\xc3("),
    latin("\xed\xa0\x80\xff\xfe"),
  ]),
  "line feeds, returns, backspaces, tabs, flow control": latin("a\nb\rc\r\n\b\t\v\f\x11\x13\x1a\x04\x00\x7f"),
  "sequences that never end": latin(`${ESC}]0;never${ESC}[38;5${ESC}Pq${"#".repeat(2000)}${ESC}_G${ESC}`),
  noise: noise(64 * 1024),
};

export const INPUT: Readonly<Record<string, Buffer>> = {
  "every byte, the keys that end, stop and hold programs among them": EVERY_BYTE,
  "arrows, functions, keypads": latin(
    ["[A", "OA", "[1;5C", "OP", "[15~", "[3~", "[Z", "[[A", "Ok"].map((body) => ESC + body).join(""),
  ),
  "keys of the kitty protocol": latin(
    [`[97;5u`, `[27u`, `[57358u`, `[97:65;2:1;65u`, `[13;2u`, `[27;5;93~`].map((body) => ESC + body).join(""),
  ),
  "Alt and other letters": Buffer.concat([latin(`${ESC}a${ESC}${ESC}[A`), utf8(`${ESC}é漢👩‍👩‍👧`)]),
  "the mouse, in each of its languages": Buffer.concat([
    latin(`${ESC}[<0;10;20M${ESC}[<0;10;20m${ESC}[32;10;20M${ESC}[M`),
    Buffer.from([32, 200, 255]),
  ]),
  focus: latin(`${ESC}[I${ESC}[O`),
  "a paste with anything in it": Buffer.concat([latin(`${ESC}[200~`), noise(5000), latin(`${ESC}[201~`)]),
  "a paste without marks, longer than any buffer": utf8("one line of a long paste, é\n".repeat(8000)),
  "answers about the terminal": latin(
    [
      `[?62;4;22c`,
      `[>41;380;0c`,
      `[0n`,
      `[24;80R`,
      `[?2026;2$y`,
      `[8;24;80t`,
      `[?1u`,
      `P>|XTerm(380)${ST}`,
      `P1+r544e=787465726d${ST}`,
      `P!|00000000${ST}`,
    ]
      .map((body) => ESC + body)
      .join(""),
  ),
  "answers about colours, clipboard, pictures": latin(
    `${ESC}]11;rgb:1e1e/1e1e/2e2e${ST}${ESC}]10;rgb:ffff/ffff/ffff${BEL}${ESC}]52;c;${PICTURE.slice(0, 4000)}${ST}${ESC}_Gi=1;OK${ST}`,
  ),
  noise: noise(32 * 1024, 7),
};
