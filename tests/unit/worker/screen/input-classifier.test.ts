/** The input from the user's terminal is divided into keys, pastes and answers of the terminal, however it is split. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  InputClassifier,
  type InputReading,
  type Key,
} from "../../../../src/worker/screen/input-classifier.js";

const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

function read(input: string | Uint8Array): InputReading {
  const classifier = new InputClassifier();
  const bytes = Buffer.from(input);
  return merge([classifier.push(bytes), classifier.flush()]);
}

function merge(readings: readonly InputReading[]): InputReading {
  return {
    typed: readings.some((reading) => reading.typed),
    keys: readings.flatMap((reading) => reading.keys),
    reports: readings.flatMap((reading) => reading.reports),
  };
}

const brief = (key: Key) => (key.kind === "character" ? key.text : key.kind);

const REPORTS: readonly (readonly [string, string])[] = [
  ["focus gained", "\x1b[I"],
  ["focus lost", "\x1b[O"],
  ["a mouse press", "\x1b[<0;10;20M"],
  ["a mouse release", "\x1b[<0;10;20m"],
  ["a mouse press of old", "\x1b[M !!"],
  ["a mouse press of urxvt", "\x1b[32;10;20M"],
  ["device attributes", "\x1b[?62;22c"],
  ["second device attributes", "\x1b[>0;276;0c"],
  ["third device attributes", "\x1bP!|00000000\x1b\\"],
  ["the cursor's position", "\x1b[24;80R"],
  ["the cursor's position with a page", "\x1b[?24;80;1R"],
  ["the status", "\x1b[0n"],
  ["a change of the colour scheme", "\x1b[?997;1n"],
  ["a mode report", "\x1b[?2026;2$y"],
  ["an ANSI mode report", "\x1b[4;2$y"],
  ["the window's size", "\x1b[8;50;120t"],
  ["a size report in band", "\x1b[48;50;120;800;1920t"],
  ["terminal parameters", "\x1b[2;1;1;112;112;1;0x"],
  ["the keyboard flags", "\x1b[?1u"],
  ["key modifier options", "\x1b[>4;2m"],
  ["sixel limits", "\x1b[?1;0;256S"],
  ["the name of the terminal", "\x1bP>|xterm(390)\x1b\\"],
  ["a setting", "\x1bP1$r0m\x1b\\"],
  ["a capability", "\x1bP1+r544e=787465726d\x1b\\"],
  ["a colour, ended by BEL", "\x1b]11;rgb:0000/0000/0000\x07"],
  ["a colour, ended by ST", "\x1b]4;1;rgb:cdcd/0000/0000\x1b\\"],
  ["the clipboard", "\x1b]52;c;aGFsbG8=\x07"],
  ["the agent protocol", "\x1b]7501;ok\x1b\\"],
  ["the title", "\x1b]lsome täitle\x1b\\"],
  ["graphics", "\x1b_Gi=31;OK\x1b\\"],
  ["the release of a key", "\x1b[13;1:3u"],
  ["the release of an arrow", "\x1b[1;1:3A"],
];

const KEYS: readonly (readonly [string, string, readonly string[]])[] = [
  ["letters and digits", "y1é漢👍", ["y", "1", "é", "漢", "👍"]],
  ["Enter", "\r", ["enter"]],
  ["a line feed", "\n", ["enter"]],
  ["Enter of the keypad", "\x1bOM", ["enter"]],
  ["Enter of kitty", "\x1b[13u", ["enter"]],
  ["Enter of kitty with num lock", "\x1b[13;129u", ["enter"]],
  ["Enter of kitty's keypad", "\x1b[57414u", ["enter"]],
  ["Shift-Enter", "\x1b[13;2u", ["other"]],
  ["Enter of xterm with Ctrl", "\x1b[27;5;13~", ["other"]],
  ["Esc alone", "\x1b", ["escape"]],
  ["Esc twice", "\x1b\x1b", ["escape", "escape"]],
  ["Esc of kitty", "\x1b[27u", ["escape"]],
  ["a digit of kitty", "\x1b[50u", ["2"]],
  ["a digit of the keypad", "\x1bOr", ["2"]],
  ["a digit of kitty's keypad", "\x1b[57401u", ["2"]],
  ["a letter of kitty with all its parts", "\x1b[97:65;2:1;65u", ["a"]],
  ["Ctrl and a letter in kitty", "\x1b[99;5u", ["other"]],
  ["a function key of kitty", "\x1b[57376u", ["other"]],
  ["arrows", "\x1b[A\x1bOB", ["other", "other"]],
  ["Esc, then an arrow", "\x1b\x1b[A", ["escape", "other"]],
  ["Alt and a letter", "\x1bx", ["other"]],
  ["Alt and a letter of two bytes", "\x1bé", ["other"]],
  ["Alt-Enter", "\x1b\r", ["other"]],
  ["Alt-[ alone", "\x1b[", ["other"]],
  ["Alt-O alone", "\x1bO", ["other"]],
  ["Alt-], then a word", "\x1b]word\r", ["other", "w", "o", "r", "d", "enter"]],
  ["Alt-P, then a digit and Enter", "\x1bP1\r", ["other", "1", "enter"]],
  ["Alt-], then Esc and a digit", "\x1b]1\x1b2", ["other", "1", "other"]],
  ["function keys", "\x1b[15~\x1b[1;5P\x1b[[A", ["other", "other", "other"]],
  ["Ctrl-C", "\x03", ["other"]],
  ["Backspace", "\x7f", ["other"]],
  ["a broken sequence", "\x1b[1\r", ["other", "1", "enter"]],
  ["a paste, whatever is in it", "\x1b[200~1\r\x1b[I\x1b]x\x1b[201~2", ["paste", "2"]],
];

describe("the input from the user's terminal", () => {
  it.each(REPORTS)("knows %s as an answer of the terminal", (_name, input) => {
    const reading = read(input);
    expect(reading.typed).toBe(false);
    expect(reading.keys).toEqual([]);
    expect(reading.reports.map(latin)).toEqual([latin(Buffer.from(input))]);
  });

  it.each(KEYS)("knows %s as typing", (_name, input, expected) => {
    const reading = read(input);
    expect(reading.keys.map(brief)).toEqual(expected);
    expect(reading.typed).toBe(true);
    expect(reading.reports).toEqual([]);
  });

  it("separates keys and answers in one chunk", () => {
    const reading = read("\x1b[I1\x1b]11;rgb:0/0/0\x07\r");
    expect(reading.keys.map(brief)).toEqual(["1", "enter"]);
    expect(reading.reports).toHaveLength(2);
  });

  it("says that somebody types while a paste is still under way", () => {
    const classifier = new InputClassifier();
    expect(classifier.push(Buffer.from("\x1b[200~long ")).typed).toBe(true);
    expect(classifier.pending).toBe(false);
    expect(classifier.push(Buffer.from("text")).typed).toBe(true);
    expect(classifier.push(Buffer.from("\x1b[201~")).keys.map((key) => latin(key.bytes))).toEqual([
      "long text",
    ]);
  });

  it("gives a huge paste in pieces and loses nothing of it", () => {
    const text = "0123456789".repeat(60_000);
    const { keys } = read(`\x1b[200~${text}\x1b[201~`);
    expect(keys.length).toBeGreaterThan(1);
    expect(keys.map((key) => latin(key.bytes)).join("")).toBe(text);
  });

  it("takes an answer without an end as typing, after a limit", () => {
    const { keys } = read(`\x1b]52;c;${"A".repeat(300_000)}`);
    expect(keys.length).toBeGreaterThan(300_000);
  });

  it("waits for the rest of a sequence only until it is flushed", () => {
    const classifier = new InputClassifier();
    expect(classifier.push(Buffer.from("\x1b"))).toEqual({ typed: false, keys: [], reports: [] });
    expect(classifier.pending).toBe(true);
    expect(classifier.flush().keys.map(brief)).toEqual(["escape"]);
    expect(classifier.pending).toBe(false);
  });
});

const pieces = fc.oneof(
  fc.constantFrom(...REPORTS.map(([, bytes]) => Buffer.from(bytes))),
  fc.constantFrom(...KEYS.map(([, bytes]) => Buffer.from(bytes))),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom("\x1b", "[", "]", "O", "P", "1", ";", "M", "~", "\\", "\x07")
    .map((text) => Buffer.from(text)),
);
const inputs = fc.array(pieces, { maxLength: 12 }).map((parts) => Buffer.concat(parts));

describe("any input", () => {
  it("is read alike however it is split", () => {
    fc.assert(
      fc.property(inputs, fc.array(fc.nat(), { maxLength: 20 }), (input, cuts) => {
        const places = [...new Set(cuts.map((cut) => cut % (input.length + 1)))].sort((a, b) => a - b);
        const classifier = new InputClassifier();
        const readings = [0, ...places].map((from, at) => classifier.push(input.subarray(from, places[at])));
        expect(merge([...readings, classifier.flush()])).toEqual(read(input));
      }),
      { numRuns: 1500 },
    );
  });

  it("is fully accounted for: every byte is in one key or one answer, but the brackets of a paste", () => {
    const withoutPaste = inputs.filter((input) => !latin(input).includes("\x1b[200~"));
    fc.assert(
      fc.property(withoutPaste, (input) => {
        const { keys, reports } = read(input);
        const count = [...keys.map((key) => key.bytes), ...reports].reduce(
          (sum, bytes) => sum + bytes.length,
          0,
        );
        expect(count).toBe(input.length);
      }),
      { numRuns: 1000 },
    );
  });
});
