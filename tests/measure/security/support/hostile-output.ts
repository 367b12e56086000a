/** What a hostile program writes to its terminal: sequences of every kind with extreme parameters, the same for the same seed. */
import { seeded } from "../../../support/seeded.js";

const ESC = "\u001b";
const CSI = `${ESC}[`;
const NUMBERS = [
  "",
  "0",
  "1",
  "2",
  "7",
  "80",
  "999",
  "4096",
  "65535",
  "99999",
  "2147483647",
  "4294967296",
  "9".repeat(40),
];
const FINALS = [..."@ABCDEFGHIJKLMPSTXZ`abcdefghlmnqrstu"];
const WITH_INTERMEDIATE = [" @", " A", "'}", "'~", "!p", '"q', " q", "$p", "$w", "#{"];
const MODES = [
  "1",
  "3",
  "4",
  "5",
  "6",
  "7",
  "9",
  "12",
  "25",
  "45",
  "47",
  "66",
  "1000",
  "1003",
  "1006",
  "1047",
  "1048",
  "1049",
  "2004",
  "2026",
];
const MARKS = ["\u0301", "\u0489", "\u200d", "\ufe0f", "\u{e0067}"];
const TEXTS = [
  "text",
  "漢字",
  "👍🏽",
  "e\u0301",
  "👨‍👩‍👧",
  "\u{1f3f4}",
  "ａｂ",
  "\t",
  "\r\n",
  "\n\n\n",
  "\r",
  "\b\b",
  "\u0007",
  "\u000e\u000f",
  "\ud83d",
];

export class HostileOutput {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  next(): string {
    return this.#pick(this.#kinds)();
  }

  take(sequences: number): Buffer {
    let text = "";
    for (let count = 0; count < sequences; count++) text += this.next();
    return Buffer.from(text);
  }

  readonly #kinds: readonly (() => string)[] = [
    () => `${CSI}${this.#parameters()}${this.#pick(FINALS)}`,
    () => `${CSI}${this.#parameters()}${this.#pick(FINALS)}`,
    () => `${CSI}${this.#pick(NUMBERS)}${this.#pick(FINALS)}`,
    () => `${this.#pick(TEXTS)}${CSI}${this.#pick(NUMBERS)}b`,
    () => `${CSI}${this.#parameters()}${this.#pick(WITH_INTERMEDIATE)}`,
    () => `${CSI}?${this.#pick(MODES)};${this.#pick(MODES)}${this.#pick(["h", "l", "s", "r"])}`,
    () => `${CSI}?${Math.floor(this.#random() * 1e9)}h`,
    () =>
      `${CSI}${this.#pick(["?J", "?K", ">c", "=c", "c", "5n", "6n", "?6n", ">q", "14t", "18t", "21t", "22;0t", "23;0t"])}`,
    () => `${CSI}${this.#pick(["38;5;1", "48;2;1;2;3", "4:3", "58:2::1:2:3", "1;2;3;4;5;7;8;9", "0"])}m`,
    () =>
      ESC +
      this.#pick(["c", "7", "8", "D", "E", "M", "H", "=", ">", "#8", "(0", "(B", "%G", "\\", "Z", "n", "}"]),
    () => this.#pick(TEXTS),
    () => this.#pick(TEXTS).repeat(1 + Math.floor(this.#random() * 8)),
    () => `e${this.#pick(MARKS).repeat(Math.floor(this.#random() * 40))}`,
    () =>
      this.#text(
        "]",
        `${this.#pick(["0", "1", "2", "4", "8", "9", "10", "52", "133", "777", "1337", "7501", "99999999999"])};`,
      ),
    () => this.#text("]", `8;id=${this.#random()};https://example.com/`),
    () => this.#text("P", this.#pick(["q", "$q", "+q", "1;1;1q", "0;1|"])),
    () => this.#text("_", "Ga=T,f=100;"),
    () => this.#text(this.#pick(["^", "X"]), ""),
    () => `${CSI}${this.#pick(["", "?", ">", "1;2"])}`,
    () => String.fromCharCode(0x80 + Math.floor(this.#random() * 0x20)),
  ];

  #text(introducer: string, begin: string): string {
    const length = this.#random() < 0.001 ? 20_000 : Math.floor(this.#random() * 24);
    return `${ESC}${introducer}${begin}${"x".repeat(length)}${this.#pick(["\u0007", `${ESC}\\`, "", "\u009c", "\u0018"])}`;
  }

  #parameters(): string {
    return Array.from({ length: 1 + Math.floor(this.#random() * 3) }, () => this.#pick(NUMBERS)).join(
      this.#pick([";", ":"]),
    );
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#random() * choices.length)]!;
  }
}
